package org.saevhadoop.converters.house;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noCodeUnits;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.library.GeneralCodingRules;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.ClientLauncher;
import org.saevhadoop.converters.Main;
import org.saevhadoop.converters.TrainingRun;
import org.saevhadoop.jobs.server.Servers;

/** The arrows of docs/architecture.md run one way only. */
class ArchitectureTest extends ProjectClasses {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          format..      | org.saevhadoop.mapreduce.. org.apache.hadoop..
          format..      | org.saevhadoop.jobs.. org.saevhadoop.converters..
          mapreduce..   | org.saevhadoop.jobs.. org.saevhadoop.converters..
          format.spi    | com.fasterxml.jackson..
          """)
  void aPackageDoesNotKnow(String itself, String others) {
    noClasses()
        .that()
        .resideInAPackage("org.saevhadoop." + itself)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(others.split(" "))
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
  void oneClassCreatesJobs() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("org.saevhadoop.jobs.run.HadoopTasks")
        .should()
        .callMethodWhere(
            target(owner(assignableTo(Job.class))).and(target(nameMatching("getInstance"))))
        .check(PROJECT);
  }

  @Test
  void serversAreContactedInOneClass() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("org.saevhadoop.jobs.run.JobResources")
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

  @Test
  void commandsKnowTheirConsoleAndNeitherMainNorTheStreamsOfTheJvm() {
    noClasses()
        .that()
        .doNotBelongToAnyOf(Main.class, TrainingRun.class)
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Main.class)
        .check(PROJECT);
    noClasses()
        .that()
        .doNotBelongToAnyOf(Main.class, ClientLauncher.class, TrainingRun.class)
        .should(GeneralCodingRules.ACCESS_STANDARD_STREAMS)
        .check(PROJECT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        FORMAT + ".saev..",
        FORMAT + ".safetensors.. " + FORMAT + ".parquet.. " + MAPREDUCE + ".index..",
        FORMAT + ".pickleshards..",
        FORMAT + ".samediff.."
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
  void onlyTheFormatsThatContainPicklesReadThem() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            FORMAT + ".pickle..",
            FORMAT + ".pickleshards..",
            FORMAT + ".torch..",
            FORMAT + ".arrays.pickled")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(FORMAT + ".pickle..")
        .check(PROJECT);
  }

  @Test
  void formatsKnowNoConfiguration() {
    noClasses()
        .that()
        .resideInAPackage(FORMAT + "..")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Configuration.class)
        .check(PROJECT);
  }

  @Test
  void planningKnowsNoConfiguration() {
    noClasses()
        .that()
        .haveNameMatching(
            "org\\.saevhadoop\\.(mapreduce\\.input\\.(ExampleSplits|SplitPlanner|SplitHosts)"
                + "|jobs\\.convert\\.ConvertPlan)(\\$.*)?")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Configuration.class)
        .check(PROJECT);
  }

  @Test
  void aConversionIsReadFromAConfigurationAndWrittenToOneInOneClassEach() {
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

  @Test
  void packagesFormNoCycle() {
    slices().matching("org.saevhadoop.(**)").should().beFreeOfCycles().check(PROJECT);
  }
}
