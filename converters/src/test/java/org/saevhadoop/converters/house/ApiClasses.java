package org.saevhadoop.converters.house;

import com.tngtech.archunit.base.HasDescription;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.api.Internal;
import org.saevhadoop.format.api.PublicApi;

/** The types and members that users may rely on, as docs/api.md lists and as code marks them. */
abstract class ApiClasses extends ProjectClasses {
  private static final String ROOT = "org.saevhadoop.";

  /** A row of a table: the package, the types if the table has a column of them, the purpose. */
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([a-z.]+)` \\| (?:(`[^|]*`) \\| )?[^|]+ \\|$");

  /** Returns the types that docs/api.md lists, by package; none for packages without a list. */
  static Map<String, Set<String>> listed() throws IOException {
    String page = Files.readString(Corpus.checkout().resolve("docs/api.md"));
    Map<String, Set<String>> found = new TreeMap<>();
    for (MatchResult row : ROW.matcher(page).results().toList()) {
      String types = row.group(2) == null ? "" : row.group(2).replaceAll("[` ]", "");
      Set<String> ofPackage = found.computeIfAbsent(ROOT + row.group(1), name -> new TreeSet<>());
      Stream.of(types.split(",")).filter(name -> !name.isEmpty()).forEach(ofPackage::add);
    }
    return found;
  }

  /** Returns the types that are marked, by name. */
  static List<JavaClass> marked() {
    return PROJECT.stream()
        .filter(type -> type.isAnnotatedWith(PublicApi.class))
        .sorted((a, b) -> a.getName().compareTo(b.getName()))
        .toList();
  }

  /** Returns the types that are marked, each before the nested types that it brings along. */
  static List<JavaClass> types() {
    return PROJECT.stream()
        .filter(ApiClasses::isApi)
        .sorted((a, b) -> a.getName().compareTo(b.getName()))
        .toList();
  }

  static boolean isApi(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && !type.isAnnotatedWith(Internal.class)
        && (type.isAnnotatedWith(PublicApi.class)
            || type.getEnclosingClass().map(ApiClasses::isApi).orElse(false));
  }

  /** Returns the constructors and methods of a type that users may call or override. */
  static List<JavaCodeUnit> units(JavaClass type) {
    Stream<JavaCodeUnit> constructors = type.getConstructors().stream().map(unit -> unit);
    return Stream.concat(constructors, type.getAllMethods().stream())
        .filter(unit -> unit.getOwner().getName().startsWith(ROOT))
        .filter(unit -> unit.getOwner().equals(type) || !isApi(unit.getOwner()))
        .filter(ApiClasses::isVisible)
        .toList();
  }

  static List<JavaField> fields(JavaClass type) {
    return type.getFields().stream().filter(ApiClasses::isVisible).toList();
  }

  private static boolean isVisible(JavaMember member) {
    Set<JavaModifier> modifiers = member.getModifiers();
    return !modifiers.contains(JavaModifier.SYNTHETIC)
        && !modifiers.contains(JavaModifier.BRIDGE)
        && (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
        && !member.isAnnotatedWith(Internal.class)
        && !member.getOwner().isAnnotatedWith(Internal.class);
  }

  static String name(HasDescription element) {
    return element.getDescription().replace(ROOT, "");
  }
}
