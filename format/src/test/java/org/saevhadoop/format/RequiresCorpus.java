package org.saevhadoop.format;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * Marks tests that read the {@link Corpus}. They are skipped where {@code SAEV_CORPUS} is not set,
 * fail where it is set and the corpus is missing, and are the only ones that {@code mvn -P corpus}
 * runs.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("corpus")
@EnabledIfEnvironmentVariable(
    named = Corpus.VARIABLE,
    matches = ".*",
    disabledReason = "needs the corpus")
public @interface RequiresCorpus {}
