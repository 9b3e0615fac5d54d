package org.saevhadoop.converters.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.domain.JavaType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.api.Internal;
import org.saevhadoop.format.api.PublicApi;

/** docs/api.md, the marks in code and the signatures of what is marked. */
class ApiTypesTest extends ApiClasses {
  @Test
  void thePageListsTheTypesThatAreMarked() throws IOException {
    Map<String, Set<String>> marked = new TreeMap<>();
    for (JavaClass type : marked()) {
      marked
          .computeIfAbsent(type.getPackageName(), name -> new TreeSet<>())
          .add(type.getSimpleName());
    }
    Map<String, Set<String>> listed = listed();
    listed.values().removeIf(Set::isEmpty);
    assertThat(listed).isEqualTo(marked);
  }

  @Test
  void signaturesHaveOnlyTypesOfTheApiJavaAndHadoop() {
    Set<String> others = new TreeSet<>();
    for (JavaClass type : types()) {
      for (JavaCodeUnit unit : units(type)) {
        Stream.concat(unit.getParameterTypes().stream(), Stream.of(unit.getReturnType()))
            .forEach(used -> findOthers(type, used, others));
        unit.getTypeParameters().forEach(used -> findOthers(type, used, others));
        unit.getThrowsClause().forEach(used -> findOthers(type, used.getRawType(), others));
      }
      fields(type).forEach(field -> findOthers(type, field.getType(), others));
      type.getTypeParameters().forEach(used -> findOthers(type, used, others));
      Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream())
          .filter(above -> !above.toErasure().isAnnotatedWith(Internal.class))
          .forEach(above -> findOthers(type, above, others));
    }
    assertThat(others).isEmpty();
  }

  private static void findOthers(JavaClass type, JavaType used, Set<String> others) {
    used.getAllInvolvedRawTypes().stream()
        .map(JavaClass::getBaseComponentType)
        .filter(found -> !isApi(found) && !isOfJavaOrHadoop(type, found))
        .forEach(found -> others.add(type.getName() + " has " + found.getName()));
  }

  private static boolean isOfJavaOrHadoop(JavaClass type, JavaClass used) {
    String name = used.getPackageName();
    return used.isPrimitive()
        || name.startsWith("java.")
        || name.startsWith("org.apache.hadoop.") && !type.getPackageName().startsWith(FORMAT);
  }

  @Test
  void aPackageIsInternalOrListed() throws IOException {
    List<String> wrong = new ArrayList<>();
    Set<String> listed = listed().keySet();
    for (JavaClass type : PROJECT) {
      JavaPackage home = type.getPackage();
      boolean internal = home.isAnnotatedWith(Internal.class);
      boolean open = listed.contains(home.getName()) || home.getName().equals(FORMAT + ".api");
      if (internal == open && !home.getName().equals("org.saevhadoop.testing")) {
        wrong.add(home.getName() + (open ? " is listed and @Internal" : " has no mark"));
      }
    }
    assertThat(wrong.stream().distinct()).isEmpty();
  }

  /** Javadoc shows what has no tag {@code @hidden}. */
  @Test
  void internalMembersAreNotInJavadoc() throws IOException {
    for (Path file : RoomsTest.files("main")) {
      String text = Files.readString(file);
      if (text.contains("\n@" + PublicApi.class.getSimpleName() + "\n")) {
        assertThat(text.lines().filter(line -> line.matches(" +/?\\*\\*? @hidden( \\*/)?")))
            .as("%s", file)
            .hasSameSizeAs(text.lines().filter(line -> line.matches(" +@Internal")).toList());
      }
    }
  }
}
