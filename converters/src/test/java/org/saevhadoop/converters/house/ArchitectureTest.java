package org.saevhadoop.converters.house;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noCodeUnits;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.GeneralCodingRules;
import java.io.ObjectInputStream;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.ClientLauncher;
import org.saevhadoop.converters.Main;
import org.saevhadoop.jobs.server.Servers;

/** The arrows of docs/architecture.md run one way only. */
class ArchitectureTest {
  private static final String FORMAT = "org.saevhadoop.format";

  private static final String MAPREDUCE = "org.saevhadoop.mapreduce";

  /** Annotations for the compiler only. */
  private static final String CHECKED_BY_THE_COMPILER = "com.google.errorprone.annotations";

  /** What users name in jobs of their own, and the list of formats. */
  private static final String NAMES_FORMATS =
      "org\\.saevhadoop\\.mapreduce\\."
          + "(DatasetFormats|(Saev|Safetensors|ActivationPickle|SameDiff)(Input|Output)Format)(\\$.*)?";

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
            "org.apache.hadoop..",
            "org.saevhadoop.mapreduce..",
            "org.saevhadoop.jobs..",
            "org.saevhadoop.converters..")
        .check(PROJECT);
  }

  @Test
  void verbsKnowNeitherTheCommandLineNorItsConsole() {
    noClasses()
        .that()
        .resideOutsideOfPackage("org.saevhadoop.converters..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("picocli..", "me.tongfei.progressbar..", "org.saevhadoop.converters..")
        .check(PROJECT);
  }

  @Test
  void onlyTheRunnerCreatesJobs() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("org.saevhadoop.jobs.run.JobRunner")
        .should()
        .callMethodWhere(
            target(owner(assignableTo(Job.class))).and(target(nameMatching("getInstance"))))
        .check(PROJECT);
  }

  @Test
  void serversAreContactedInOnePlace() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("org.saevhadoop.jobs.run.JobRunner")
        .and()
        .resideOutsideOfPackage("org.saevhadoop.jobs.server")
        .should()
        .callConstructorWhere(target(owner(assignableTo(Servers.class))))
        .check(PROJECT);
  }

  /** Relocated in the one jar: a program that is compiled against its own could not call them. */
  @Test
  void whatProgramsCallShowsNoLibraryButHadoop() {
    noCodeUnits()
        .that()
        .areDeclaredInClassesThat()
        .resideInAnyPackage("org.saevhadoop.jobs..", MAPREDUCE)
        .and()
        .arePublic()
        .should(
            haveTypesIn(
                "com.fasterxml.jackson", "picocli", "org.apache.parquet", "com.google.flatbuffers"))
        .check(PROJECT);
  }

  private static ArchCondition<JavaCodeUnit> haveTypesIn(String... packages) {
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

  @Test
  void mapreduceKnowsNoVerb() {
    noClasses()
        .that()
        .resideInAPackage("org.saevhadoop.mapreduce..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.saevhadoop.jobs..", "org.saevhadoop.converters..")
        .check(PROJECT);
  }

  @Test
  void commandsKnowTheirConsoleAndNeitherMainNorTheStreamsOfTheJvm() {
    noClasses()
        .that()
        .doNotBelongToAnyOf(Main.class)
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Main.class)
        .check(PROJECT);
    noClasses()
        .that()
        .doNotBelongToAnyOf(Main.class, ClientLauncher.class)
        .should(GeneralCodingRules.ACCESS_STANDARD_STREAMS)
        .check(PROJECT);
  }

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

  @ParameterizedTest
  @ValueSource(
      strings = {
        FORMAT + ".saev.. " + MAPREDUCE + ".saev..",
        FORMAT
            + ".safetensors.. "
            + FORMAT
            + ".parquet.. "
            + MAPREDUCE
            + ".safetensors.. "
            + MAPREDUCE
            + ".index..",
        FORMAT + ".pickleshards.. " + FORMAT + ".pickle.. " + MAPREDUCE + ".pickle..",
        FORMAT + ".samediff.. " + MAPREDUCE + ".samediff.."
      })
  void noFormatIsNamedOutsideItsOwnPackagesButInTheListOfFormats(String packages) {
    String[] own = packages.split(" ");
    noClasses()
        .that()
        .resideOutsideOfPackages(own)
        .and()
        .haveNameNotMatching(NAMES_FORMATS)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(own)
        .check(PROJECT);
  }

  @Test
  void formatsKnowNoConfiguration() {
    noClasses()
        .that()
        .resideInAnyPackage(
            FORMAT + "..",
            MAPREDUCE + ".spi..",
            MAPREDUCE + ".saev..",
            MAPREDUCE + ".safetensors..",
            MAPREDUCE + ".pickle..",
            MAPREDUCE + ".samediff..")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Configuration.class)
        .check(PROJECT);
  }

  @Test
  void theInterfaceOfFormatsKnowsNeitherHadoopNorJackson() {
    noClasses()
        .that()
        .resideInAPackage(MAPREDUCE + ".spi")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.hadoop..", "com.fasterxml.jackson..")
        .check(PROJECT);
  }

  @Test
  void planningKnowsNoConfiguration() {
    noClasses()
        .that()
        .haveNameMatching(
            "org\\.saevhadoop\\.(mapreduce\\.input\\.(ExampleSplits|SplitPlanner|SplitHosts|SplitSizes)"
                + "|jobs\\.convert\\.ConvertPlan)(\\$.*)?")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Configuration.class)
        .check(PROJECT);
  }

  @Test
  void aConversionIsReadFromAConfigurationAndWrittenToOneInOnePlaceEach() {
    noCodeUnits()
        .that()
        .areDeclaredInClassesThat()
        .resideInAPackage(MAPREDUCE + ".job..")
        .and()
        .haveNameNotMatching("toConf|fromConf")
        .should(knowConfiguration())
        .check(PROJECT);
    fields()
        .that()
        .areDeclaredInClassesThat()
        .resideInAPackage(MAPREDUCE + ".job..")
        .should()
        .notHaveRawType(Configuration.class)
        .check(PROJECT);
  }

  private static ArchCondition<JavaCodeUnit> knowConfiguration() {
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
            CHECKED_BY_THE_COMPILER,
            "com.fasterxml.jackson.core..")
        .check(PROJECT);
  }

  @Test
  void packagesFormNoCycle() {
    slices().matching("org.saevhadoop.(**)").should().beFreeOfCycles().check(PROJECT);
  }
}
