package org.saevhadoop.converters.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.Corpus;

/**
 * The jars of format and mapreduce, whose libraries are not relocated, call only what the older
 * libraries of Hadoop 3.4 also have, which come first on the class path of a job.
 */
@Tag("long")
class OlderLibrariesIT {
  private static final List<String> LIBRARIES =
      List.of("com.fasterxml.jackson.", "org.apache.commons.compress.");

  /** Loaded only beside a Jackson that has what it calls. */
  private static final String OF_NEWER_LIBRARIES =
      "org.saevhadoop.format.json.Jackson$LiftedLimits";

  private static final Path CHECKOUT = Corpus.checkout();

  @Test
  void librariesOfHadoop34HaveAllThatIsCalled() throws IOException {
    Set<String> missing = new TreeSet<>();
    Set<String> found = new TreeSet<>();
    try (URLClassLoader older = new URLClassLoader(jars(), null)) {
      for (JavaClass origin : classes()) {
        for (JavaAccess<?> access : origin.getAccessesFromSelf()) {
          AccessTarget target = access.getTarget();
          if (LIBRARIES.stream().anyMatch(target.getOwner().getName()::startsWith)) {
            (exists(target, older) ? found : missing)
                .add(origin.getName() + " -> " + target.getFullName());
          }
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(found)
        .hasSizeGreaterThan(100)
        .anyMatch(access -> access.contains("ZipArchiveOutputStream.putArchiveEntry("));
  }

  private static List<JavaClass> classes() throws IOException {
    List<Path> callers = new ArrayList<>();
    for (String module : List.of("format", "mapreduce")) {
      try (Stream<Path> files = Files.walk(CHECKOUT.resolve(module + "/target/classes"))) {
        for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
          String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
          if (LIBRARIES.stream().anyMatch(name -> bytes.contains(name.replace('.', '/')))) {
            callers.add(file);
          }
        }
      }
    }
    return new ClassFileImporter()
        .importPaths(callers).stream()
            .filter(type -> !type.getName().equals(OF_NEWER_LIBRARIES))
            .toList();
  }

  private static URL[] jars() throws IOException {
    List<URL> jars = new ArrayList<>();
    try (Stream<Path> files = Files.list(CHECKOUT.resolve("converters/target/older"))) {
      for (Path file : files.toList()) {
        jars.add(url(file));
      }
    }
    assertThat(jars).as("run mvn verify in the root of the checkout").isNotEmpty();
    return jars.toArray(URL[]::new);
  }

  private static URL url(Path file) throws MalformedURLException {
    return file.toUri().toURL();
  }

  /** Returns whether the JVM would find the target: by name, types of parameters and result. */
  private static boolean exists(AccessTarget target, ClassLoader older) {
    try {
      Class<?> owner = Class.forName(target.getOwner().getName(), false, older);
      return hierarchy(owner).stream().anyMatch(type -> declares(type, target));
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static boolean declares(Class<?> type, AccessTarget target) {
    if (!(target instanceof CodeUnitAccessTarget unit)) {
      return Arrays.stream(type.getDeclaredFields())
          .map(Field::getName)
          .anyMatch(target.getName()::equals);
    }
    List<String> parameters = unit.getRawParameterTypes().stream().map(JavaClass::getName).toList();
    String result = unit.getRawReturnType().getName();
    Stream<Executable> units =
        unit.getName().equals("<init>")
            ? Stream.<Executable>of(type.getDeclaredConstructors())
            : Stream.<Executable>of(type.getDeclaredMethods())
                .filter(method -> method.getName().equals(unit.getName()));
    return units
        .filter(one -> names(one.getParameterTypes()).equals(parameters))
        .anyMatch(
            one ->
                one instanceof Constructor<?>
                    || ((Method) one).getReturnType().getName().equals(result));
  }

  private static List<String> names(Class<?>[] types) {
    return Stream.of(types).map(Class::getName).toList();
  }

  private static Set<Class<?>> hierarchy(Class<?> type) {
    Set<Class<?>> types = new LinkedHashSet<>();
    for (Class<?> one = type; one != null; one = one.getSuperclass()) {
      types.add(one);
      for (Class<?> parent : one.getInterfaces()) {
        types.addAll(hierarchy(parent));
      }
    }
    return types;
  }
}
