package org.saevhadoop.testing;

import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.ReflectionSupport;
import org.opentest4j.TestAbortedException;

/** Runs a test method once per try. */
final class PropertyExtension implements ParameterResolver, InvocationInterceptor {
  private static final long DEFAULT_SEED = 1;

  /**
   * Limit on the number of tries rejected by assumptions, as a multiple of the number of counted
   * tries.
   */
  private static final int MAX_REJECTED = 5;

  /** Body of a property. */
  interface Body {
    void run(RandomValues any) throws Throwable;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == RandomValues.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return new RandomValues(DEFAULT_SEED); // replaced in each try
  }

  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> call,
      ExtensionContext context)
      throws Throwable {
    invocation.skip();
    Method method = call.getExecutable();
    Object instance = context.getRequiredTestInstance();
    List<Object> arguments = call.getArguments();
    int tries = tries(method.getAnnotation(Property.class));
    runTries(
        tries,
        Long.getLong("saev.seed", DEFAULT_SEED),
        any ->
            ReflectionSupport.invokeMethod(
                method,
                instance,
                arguments.stream()
                    .map(argument -> argument instanceof RandomValues ? any : argument)
                    .toArray()));
  }

  private static int tries(Property property) {
    boolean sampled = property.sample() > 0 && !Boolean.getBoolean("saev.test.long");
    return sampled ? property.sample() : property.tries();
  }

  /** Runs the tries; the first one has this seed, and each later one has the next seed. */
  static void runTries(int tries, long firstSeed, Body body) {
    int rejected = 0;
    for (int done = 0; done < tries; ) {
      long seed = firstSeed + done + rejected;
      RandomValues any = new RandomValues(seed);
      try {
        body.run(any);
        done++;
      } catch (TestAbortedException e) {
        rejected++;
        if (rejected > MAX_REJECTED * tries) {
          throw new AssertionError("assumptions hold in " + done + " tries only", e);
        }
      } catch (Throwable e) {
        throw new AssertionError(
            "try %d of %d fails; -Dsaev.seed=%d repeats it%nvalues: %s%n%s"
                .formatted(done + 1, tries, seed, any.drawn(), e.getMessage()),
            e);
      }
    }
  }
}
