package org.saevhadoop.format;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a fuzz target that executed no new input: Jazzer keeps each input that reached new code in
 * {@code .cifuzz-corpus}. The profile {@code fuzz} registers this extension.
 */
public final class FuzzedInputs implements BeforeAllCallback, AfterAllCallback {
  private static final Path CORPUS = Path.of(".cifuzz-corpus");

  private long before;

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    before = count(context.getRequiredTestClass());
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    Class<?> type = context.getRequiredTestClass();
    assertThat(count(type) - before).as("new inputs of %s", type.getName()).isPositive();
  }

  private static long count(Class<?> type) throws IOException {
    List<Method> targets =
        Arrays.stream(type.getDeclaredMethods())
            .filter(method -> method.isAnnotationPresent(FuzzTest.class))
            .toList();
    assertThat(targets).as("targets of %s: Jazzer fuzzes one in a JVM", type).hasSize(1);
    Path inputs = CORPUS.resolve(type.getName()).resolve(targets.get(0).getName());
    if (!Files.isDirectory(inputs)) {
      return 0;
    }
    try (Stream<Path> files = Files.list(inputs)) {
      return files.count();
    }
  }
}
