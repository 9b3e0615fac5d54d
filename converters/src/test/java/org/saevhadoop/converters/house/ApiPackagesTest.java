package org.saevhadoop.converters.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.Corpus;

/** The packages that docs/api.md lists for formats of users. */
class ApiPackagesTest extends ProjectClasses {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(format[a-z.]*)` \\| [^|]+ \\|$");

  private final Set<String> listed = listed();

  private static Set<String> listed() {
    try {
      String page = Files.readString(Corpus.checkout().resolve("docs/api.md"));
      return ROW.matcher(page)
          .results()
          .map(row -> "org.saevhadoop." + row.group(1))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatUsersCallHasOnlyTypesOfTheListedPackages() {
    Set<String> others = new TreeSet<>();
    for (JavaClass type : PROJECT) {
      if (listed.contains(type.getPackageName()) && isPublic(type)) {
        types(type)
            .filter(used -> used.getPackageName().startsWith("org."))
            .filter(used -> !used.getPackageName().startsWith("org.jspecify"))
            .filter(used -> !listed.contains(used.getPackageName()))
            .forEach(used -> others.add(type.getSimpleName() + " has " + used.getName()));
      }
    }
    assertThat(others).isEmpty();
  }

  @Test
  void eachListedPackageExists() {
    Set<String> packages =
        PROJECT.stream().map(JavaClass::getPackageName).collect(Collectors.toSet());
    assertThat(listed).hasSizeGreaterThan(10).isSubsetOf(packages);
  }

  private static boolean isPublic(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().map(ApiPackagesTest::isPublic).orElse(true);
  }

  /** Returns the types in the signatures that users see, with type arguments. */
  private static Stream<JavaClass> types(JavaClass type) {
    Stream<JavaType> ofUnits =
        type.getCodeUnits().stream()
            .filter(ApiPackagesTest::isVisible)
            .flatMap(unit -> Stream.concat(unit.getParameterTypes().stream(), returned(unit)));
    Stream<JavaType> ofFields =
        type.getFields().stream()
            .filter(field -> field.getModifiers().contains(JavaModifier.PUBLIC))
            .map(field -> field.getType());
    Stream<JavaType> above =
        Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream());
    return Stream.of(ofUnits, ofFields, above)
        .flatMap(types -> types)
        .flatMap(found -> found.getAllInvolvedRawTypes().stream())
        .map(JavaClass::getBaseComponentType);
  }

  private static Stream<JavaType> returned(JavaCodeUnit unit) {
    return Stream.of(unit.getReturnType());
  }

  private static boolean isVisible(JavaCodeUnit unit) {
    Set<JavaModifier> modifiers = unit.getModifiers();
    return !modifiers.contains(JavaModifier.SYNTHETIC)
        && (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED));
  }
}
