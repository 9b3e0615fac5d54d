package org.saevhadoop.converters.house;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/** The classes of the project, and conditions on them. */
abstract class ProjectClasses {
  static final String FORMAT = "org.saevhadoop.format";

  static final String MAPREDUCE = "org.saevhadoop.mapreduce";

  /** Annotations for the compiler only. */
  static final String CHECKED_BY_THE_COMPILER = "[com.google.errorprone|org.jspecify].annotations";

  /** Annotations that say who may call a type. */
  static final String MARKS = FORMAT + ".api";

  /**
   * What users name in jobs of their own, the list of formats, and files that are not datasets but
   * have a format of one.
   */
  static final String NAMES_FORMATS =
      "org\\.saevhadoop\\.(format\\.DatasetFormats"
          + "|mapreduce\\.(Saev|Safetensors|ActivationPickle|SameDiff)(Input|Output)Format(\\$.*)?"
          + "|jobs\\.stats\\.StatisticsFiles)";

  static final JavaClasses PROJECT =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("org.saevhadoop");

  static ArchCondition<JavaCodeUnit> haveTypesIn(String... packages) {
    return new ArchCondition<>("have types in " + List.of(packages)) {
      @Override
      public void check(JavaCodeUnit unit, ConditionEvents events) {
        boolean found =
            Stream.concat(unit.getRawParameterTypes().stream(), Stream.of(unit.getRawReturnType()))
                .anyMatch(type -> Stream.of(packages).anyMatch(type.getPackageName()::startsWith));
        events.add(new SimpleConditionEvent(unit, found, unit.getFullName() + " has one"));
      }
    };
  }

  static ArchCondition<JavaCodeUnit> knowConfiguration() {
    return new ArchCondition<>("know a Configuration") {
      @Override
      public void check(JavaCodeUnit unit, ConditionEvents events) {
        boolean named =
            Stream.concat(unit.getRawParameterTypes().stream(), Stream.of(unit.getRawReturnType()))
                .anyMatch(type -> type.isAssignableTo(Configuration.class));
        boolean used =
            unit.getAccessesFromSelf().stream()
                .anyMatch(access -> access.getTargetOwner().isAssignableTo(Configuration.class));
        events.add(
            new SimpleConditionEvent(unit, named || used, unit.getFullName() + " knows one"));
      }
    };
  }
}
