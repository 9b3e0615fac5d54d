package org.saevhadoop.converters;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The arrows of docs/architecture.md run one way only. */
class ArchitectureTest {
  private static final String FORMAT = "org.saevhadoop.format";

  private static final JavaClasses PROJECT =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("org.saevhadoop");

  @Test
  void formatKnowsNeitherHadoopNorTheModulesAboveIt() {
    noClasses()
        .that()
        .resideInAPackage(FORMAT + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.hadoop..", "org.saevhadoop.mapreduce..", "org.saevhadoop.converters..")
        .check(PROJECT);
  }

  @Test
  void mapreduceKnowsNoConverter() {
    noClasses()
        .that()
        .resideInAPackage("org.saevhadoop.mapreduce..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.saevhadoop.converters..")
        .check(PROJECT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"saev", "safetensors"})
  void aFormatKnowsOnlyWhatAllFormatsShare(String format) {
    classes()
        .that()
        .resideInAPackage(FORMAT + "." + format)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            FORMAT + "." + format,
            FORMAT + ".io",
            FORMAT + ".tensor",
            FORMAT + ".attributes",
            FORMAT + ".dataset",
            "java..",
            "com.fasterxml.jackson..")
        .check(PROJECT);
  }

  @Test
  void aDatasetOfPicklesKnowsPicklesAndNoOtherFormat() {
    classes()
        .that()
        .resideInAPackage(FORMAT + ".activations")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            FORMAT + ".activations",
            FORMAT + ".pickle",
            FORMAT + ".gzip",
            FORMAT + ".io",
            FORMAT + ".tensor",
            FORMAT + ".dataset",
            FORMAT + ".reader",
            FORMAT + ".attributes",
            "java..",
            "com.fasterxml.jackson..")
        .check(PROJECT);
  }

  @Test
  void gzipKnowsOnlyFiles() {
    classes()
        .that()
        .resideInAPackage(FORMAT + ".gzip")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(FORMAT + ".gzip", FORMAT + ".io", "java..")
        .check(PROJECT);
  }

  @Test
  void whatAllFormatsShareKnowsNoFormat() {
    noClasses()
        .that()
        .resideInAnyPackage(
            FORMAT + ".io", FORMAT + ".tensor", FORMAT + ".dataset", FORMAT + ".reader")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            FORMAT + ".saev",
            FORMAT + ".safetensors",
            FORMAT + ".pickle",
            FORMAT + ".gzip",
            FORMAT + ".activations")
        .check(PROJECT);
  }

  @Test
  void attributesKnowOnlyStorage() {
    classes()
        .that()
        .resideInAPackage(FORMAT + ".attributes")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            FORMAT + ".attributes",
            FORMAT + ".gzip",
            FORMAT + ".io",
            "java..",
            "com.fasterxml.jackson.core..")
        .check(PROJECT);
  }

  @Test
  void packagesFormNoCycle() {
    slices().matching("org.saevhadoop.(**)").should().beFreeOfCycles().check(PROJECT);
  }
}
