package org.saevhadoop.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Test method that runs once per try, always on the same test instance, with different {@link
 * RandomValues} each time. JUnit counts it as one test. A try whose assumptions fail is replaced by
 * another one.
 */
@Test
@ExtendWith(PropertyExtension.class)
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Property {
  /** Number of tries. */
  int tries() default 1000;

  /** Number of tries without {@code -P long}; 0 for all. */
  int sample() default 0;
}
