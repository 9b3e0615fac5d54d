package org.saevhadoop.converters.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import java.io.ObjectInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The directions of dependencies within the module format. */
class FormatArchitectureTest extends ProjectClasses {
  @ParameterizedTest
  @ValueSource(strings = {"saev", "safetensors"})
  void aFormatKnowsOnlyWhatAllFormatsShare(String format) {
    classes()
        .that()
        .resideInAPackage(FORMAT + "." + format + "..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            FORMAT + "." + format + "..",
            FORMAT + ".io",
            FORMAT + ".json",
            FORMAT + ".tensor",
            FORMAT + ".samples",
            FORMAT + ".dataset..",
            "java..",
            CHECKED_BY_THE_COMPILER,
            "com.fasterxml.jackson..")
        .check(PROJECT);
  }

  @Test
  void aDatasetOfPicklesKnowsPicklesAndNoOtherFormat() {
    classes()
        .that()
        .resideInAPackage(FORMAT + ".pickleshards..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            FORMAT + ".pickleshards..",
            FORMAT + ".pickle..",
            FORMAT + ".gzip",
            FORMAT + ".io",
            FORMAT + ".json",
            FORMAT + ".numpy",
            FORMAT + ".tensor",
            FORMAT + ".dataset..",
            FORMAT + ".reader..",
            FORMAT + ".projection",
            FORMAT + ".samples",
            "java..",
            CHECKED_BY_THE_COMPILER,
            "com.fasterxml.jackson..")
        .check(PROJECT);
  }

  @Test
  void sameDiffKnowsOnlyWhatAllFormatsShareAndNeitherHadoopNorAFramework() {
    classes()
        .that()
        .resideInAPackage(FORMAT + ".samediff..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            FORMAT + ".samediff..",
            FORMAT + ".io",
            FORMAT + ".tensor",
            FORMAT + ".samples",
            FORMAT + ".dataset..",
            FORMAT + ".gather",
            FORMAT + ".zip",
            "java..",
            CHECKED_BY_THE_COMPILER,
            "com.google.flatbuffers")
        .check(PROJECT);
  }

  @Test
  void picklesKnowNoDataset() {
    classes()
        .that()
        .resideInAPackage(FORMAT + ".pickle..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            FORMAT + ".pickle..",
            FORMAT + ".io",
            FORMAT + ".json",
            FORMAT + ".numpy",
            FORMAT + ".tensor",
            "java..",
            "org.jspecify.annotations",
            CHECKED_BY_THE_COMPILER)
        .check(PROJECT);
  }

  @Test
  void numpyTypesAndHeadersKnowOnlyFilesAndTypes() {
    classes()
        .that()
        .resideInAPackage(FORMAT + ".numpy")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            FORMAT + ".numpy",
            FORMAT + ".io",
            FORMAT + ".tensor",
            "java..",
            CHECKED_BY_THE_COMPILER)
        .check(PROJECT);
  }

  @Test
  void gatheringKnowsOnlyFiles() {
    classes()
        .that()
        .resideInAPackage(FORMAT + ".gather")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(FORMAT + ".gather", FORMAT + ".io", "java..", CHECKED_BY_THE_COMPILER)
        .check(PROJECT);
  }

  @Test
  void zipKnowsOnlyFiles() {
    classes()
        .that()
        .resideInAPackage(FORMAT + ".zip")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            FORMAT + ".zip",
            FORMAT + ".io",
            "java..",
            CHECKED_BY_THE_COMPILER,
            "org.apache.commons.compress..")
        .check(PROJECT);
  }

  /** A manifest would run code of any class, see the package page. */
  @Test
  void nothingIsDeserialized() {
    noClasses()
        .that()
        .resideInAPackage(FORMAT + "..")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(ObjectInputStream.class)
        .check(PROJECT);
  }

  @Test
  void theTensorIndexKnowsOnlySafetensors() {
    classes()
        .that()
        .resideInAPackage(FORMAT + ".parquet")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            FORMAT + ".parquet",
            FORMAT + ".safetensors..",
            FORMAT + ".io",
            FORMAT + ".tensor",
            "java..",
            CHECKED_BY_THE_COMPILER)
        .check(PROJECT);
  }

  @Test
  void gzipKnowsOnlyFiles() {
    classes()
        .that()
        .resideInAPackage(FORMAT + ".gzip")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(FORMAT + ".gzip", FORMAT + ".io", "java..", CHECKED_BY_THE_COMPILER)
        .check(PROJECT);
  }

  @Test
  void jsonKnowsOnlyStorageAndTheTextsOfFloats() {
    classes()
        .that()
        .resideInAPackage(FORMAT + ".json")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            FORMAT + ".json",
            FORMAT + ".io",
            FORMAT + ".tensor",
            "java..",
            CHECKED_BY_THE_COMPILER,
            "com.fasterxml.jackson..")
        .check(PROJECT);
  }

  @Test
  void whatAllFormatsShareKnowsNoFormat() {
    noClasses()
        .that()
        .resideInAnyPackage(
            FORMAT + ".io",
            FORMAT + ".json",
            FORMAT + ".tensor",
            FORMAT + ".slice",
            FORMAT + ".gather",
            FORMAT + ".numpy",
            FORMAT + ".zip",
            FORMAT + ".dataset..",
            FORMAT + ".reader..",
            FORMAT + ".projection")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            FORMAT + ".saev..",
            FORMAT + ".safetensors..",
            FORMAT + ".pickle..",
            FORMAT + ".parquet",
            FORMAT + ".gzip",
            FORMAT + ".pickleshards..",
            FORMAT + ".samediff..")
        .check(PROJECT);
  }

  @Test
  void partsOfDatasetsKnowNoFormat() {
    classes()
        .that()
        .resideInAPackage(FORMAT + ".projection")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            FORMAT + ".projection",
            FORMAT + ".samples",
            FORMAT + ".dataset..",
            FORMAT + ".reader..",
            FORMAT + ".io",
            "java..",
            CHECKED_BY_THE_COMPILER)
        .check(PROJECT);
  }

  @Test
  void attributesKnowOnlyStorage() {
    classes()
        .that()
        .resideInAPackage(FORMAT + ".samples")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            FORMAT + ".samples",
            FORMAT + ".gzip",
            FORMAT + ".io",
            FORMAT + ".json",
            "java..",
            "org.jspecify.annotations",
            CHECKED_BY_THE_COMPILER,
            "com.fasterxml.jackson.core..")
        .check(PROJECT);
  }
}
