package org.saevhadoop.converters.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMethod;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.Corpus;

/**
 * testing/api-signatures.txt has the signatures of the API, so that a change of it is seen in a
 * review. {@code -Dsaev.docs.write=true} writes it.
 */
class ApiSignaturesTest extends ApiClasses {
  @Test
  void theApiIsAsItIsListed() throws IOException {
    List<String> lines = new ArrayList<>();
    for (JavaClass type : types()) {
      lines.add(header(type.reflect()));
      members(type)
          .map(line -> "  " + line.replace(type.getName() + ".", ""))
          .distinct()
          .sorted()
          .forEach(lines::add);
    }
    Path list = Corpus.checkout().resolve("testing/api-signatures.txt");
    if (Boolean.getBoolean("saev.docs.write")) {
      Files.write(list, lines);
    }
    assertThat(lines)
        .as(
            "the API has changed (expected: no difference, or one that the changelog explains, and"
                + " -Dsaev.docs.write=true)")
        .isEqualTo(Files.readAllLines(list));
  }

  private static String header(Class<?> type) {
    String kind =
        type.isRecord()
            ? "record"
            : type.isEnum() ? "enum" : type.isInterface() ? "interface" : "class";
    int hidden =
        Modifier.INTERFACE | Modifier.STATIC | (type.isInterface() ? Modifier.ABSTRACT : 0);
    int flags = type.getModifiers() & ~hidden;
    return Modifier.toString(flags)
        + " "
        + kind
        + " "
        + type.getName()
        + names(" extends ", Stream.ofNullable(type.getGenericSuperclass()))
        + names(" implements ", Arrays.stream(type.getGenericInterfaces()));
  }

  private static String names(String word, Stream<Type> types) {
    String names =
        types
            .map(Type::getTypeName)
            .filter(name -> !name.matches("java\\.lang\\.(Object|Record|Enum<.*)"))
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? "" : word + names;
  }

  private static Stream<String> members(JavaClass type) {
    Stream<String> fields = fields(type).stream().map(JavaField::reflect).map(Object::toString);
    Stream<String> units =
        units(type).stream()
            .flatMap(
                unit ->
                    unit instanceof JavaMethod method
                        ? Stream.of(method.reflect())
                            .filter(found -> !isOfEveryType(found))
                            .map(Method::toGenericString)
                        : Stream.of(((JavaConstructor) unit).reflect().toGenericString()));
    return Stream.concat(fields, units);
  }

  /** Methods of records, enums and objects, which say nothing of a type. */
  private static boolean isOfEveryType(Method method) {
    Class<?> owner = method.getDeclaringClass();
    return switch (method.getName()) {
      case "toString", "hashCode" -> method.getParameterCount() == 0;
      case "equals" -> Arrays.equals(method.getParameterTypes(), new Class<?>[] {Object.class});
      case "values", "valueOf" -> owner.isEnum();
      default -> false;
    };
  }
}
