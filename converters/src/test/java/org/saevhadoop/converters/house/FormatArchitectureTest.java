package org.saevhadoop.converters.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import java.io.ObjectInputStream;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The directions of dependencies within the module format. */
class FormatArchitectureTest extends ProjectClasses {
  /** The packages and libraries that a package may know beside itself and Java. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          settings       | io                                     |
          spi            | settings io tensor samples tokens dataset.. projection arrays arrays.proposal |
          saev           | saev.* spi settings io json tensor dataset.. projection shuffle combined normalize \
                           arrays..                               |
          saev.*         | saev.* io json tensor samples dataset.. normalize | com.fasterxml.jackson..
          safetensors    | safetensors.* parquet.* spi settings io json tensor dataset.. projection shuffle \
                           arrays..                                    | com.fasterxml.jackson..
          safetensors.*  | safetensors.* io json kind tensor samples tokens dataset.. arrays.. gather \
                                                                  | com.fasterxml.jackson..
          pickleshards   | pickleshards.* spi settings io json kind tensor dataset.. pickle.. gzip projection \
                           normalize numpy.header arrays..                               | com.fasterxml.jackson..
          pickleshards.* | pickleshards.* io json tensor samples dataset.. pickle.. gzip numpy.header \
                           reader.. projection                    | com.fasterxml.jackson..
          pickle..       | io json tensor numpy.header            |
          samediff       | samediff.* spi settings io tensor dataset.. gather inflated zip projection arrays.. |
          samediff.*     | samediff.* io tensor samples dataset.. arrays.. gather zip flatbuffer \
                                                                  | com.google.flatbuffers
          parquet        | parquet.file parquet.table parquet.layers parquet.write spi settings io json tensor tokens \
                           samples dataset.. gather zip entries projection arrays.. safetensors.dataset \
                           safetensors.header                     | com.fasterxml.jackson..
          parquet.layers | parquet.file parquet.table io json tensor dataset gather arrays arrays.file |
          parquet.table  | parquet.file io tensor                 |
          parquet.file   | codec io                               |
          parquet.index  | parquet.file io tensor safetensors.*   |
          parquet.write  | io tensor samples tokens dataset..     | com.google.flatbuffers
          combined       | io json tensor samples tokens padding dataset gather reader.block \
                                                                  | com.fasterxml.jackson..
          normalize      | spi io json tensor dataset             | com.fasterxml.jackson..
          projection     | io samples tokens dataset.. reader..   |
          samples        | io json gzip                           | com.fasterxml.jackson.core..
          tokens         | io samples                             |
          json           | io tensor                              | com.fasterxml.jackson..
          numpy          | numpy.* spi settings io json kind tensor dataset.. inflated projection arrays.. \
                                                                  | com.fasterxml.jackson..
          numpy.header   | io tensor                              |
          numpy.file     | io json tensor tokens gather zip numpy.header arrays.file arrays.pickled |
          numpy.dataset  | io json tensor samples tokens dataset.. arrays arrays.columns numpy.header gather \
                                                                  | com.fasterxml.jackson..
          torch          | torch.file spi settings io kind arrays.file arrays.format |
          torch.file     | io tensor kind arrays.file arrays.pickled gather zip numpy.header pickle.. |
          arrow          | arrow.file spi settings io json kind tokens dataset gather entries projection \
                           arrays arrays.file arrays.format arrays.proposal |
          arrow.file     | codec io json tensor samples tokens gather flatbuffer arrays.file |
          codec          |                                        | com.github.luben.zstd..
          arrays.file    | io tensor samples gather zip           |
          arrays         | io json tensor samples tokens dataset.. gather zip arrays.file |
          arrays.columns | io tensor samples tokens dataset arrays arrays.file |
          arrays.pickled | io tensor gather zip numpy.header pickle.. arrays.file |
          arrays.proposal | io tensor dataset arrays arrays.file |
          arrays.format  | spi settings io json dataset.. arrays arrays.file arrays.proposal zip |
          flatbuffer     | io                                     |
          gather         | io                                     |
          permutation    | io                                     |
          padding        | io json samples tokens dataset..       | com.fasterxml.jackson.core..
          staged         | io json                                | com.fasterxml.jackson..
          storage        | io json settings                       | com.fasterxml.jackson..
          publish.run    | storage staged io json                 | com.fasterxml.jackson..
          publish        | publish.run storage spi settings io json dataset samples \
                                                                  | com.fasterxml.jackson..
          shuffle        | io json tensor samples tokens dataset.. permutation projection staged | com.fasterxml.jackson..
          kind           | io json                                |
          entries        | spi settings io json                   | com.fasterxml.jackson..
          inflated       | entries spi settings io json dataset.. projection zip | com.fasterxml.jackson..
          gzip           | io                                     |
          zip            | io gather                              | org.apache.commons.compress..
          """)
  void aPackageKnowsOnly(String itself, String packages, @Nullable String library) {
    Stream<String> format =
        Stream.of((itself + " " + packages).split(" +")).map(name -> FORMAT + "." + name);
    Stream<String> others = Stream.of("java..", CHECKED_BY_THE_COMPILER, MARKS, library);
    classes()
        .that()
        .resideInAPackage(FORMAT + "." + itself)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            Stream.concat(format, others).filter(Objects::nonNull).toArray(String[]::new))
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
  void whatAllFormatsShareKnowsNoFormat() {
    noClasses()
        .that()
        .resideInAnyPackage(
            FORMAT + ".io",
            FORMAT + ".json",
            FORMAT + ".tensor",
            FORMAT + ".slice",
            FORMAT + ".gather",
            FORMAT + ".numpy.*",
            FORMAT + ".kind",
            FORMAT + ".zip",
            FORMAT + ".dataset..",
            FORMAT + ".reader..",
            FORMAT + ".permutation",
            FORMAT + ".padding",
            FORMAT + ".shuffle",
            FORMAT + ".staged",
            FORMAT + ".projection",
            FORMAT + ".combined")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            FORMAT + ".saev..",
            FORMAT + ".safetensors..",
            FORMAT + ".pickle..",
            FORMAT + ".parquet..",
            FORMAT + ".gzip",
            FORMAT + ".pickleshards..",
            FORMAT + ".torch..",
            FORMAT + ".arrow..",
            FORMAT + ".samediff..")
        .check(PROJECT);
  }
}
