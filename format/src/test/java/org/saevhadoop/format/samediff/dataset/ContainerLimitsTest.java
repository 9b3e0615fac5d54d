package org.saevhadoop.format.samediff.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.tensor.DType;

class ContainerLimitsTest {
  private static final long GIBI = 1L << 30;

  private static TableShape table(long examples, String name, int columns, long bytes) {
    return new TableShape(
        examples,
        IntStream.range(0, columns)
            .mapToObj(i -> new Column(name + i, DType.U8, List.of(bytes)))
            .toList());
  }

  @ParameterizedTest
  @CsvSource({
    // examples, columns, bytes, maximum: examples of an SDNB file, of an array of SDZ
    "10, 2, 100, 1000, 5, 10",
    "10, 2, 100, 999, 4, 9",
    "10, 2, 100, 1, 1, 1",
    "10, 2, 0, 1000, 10, 10",
    "0, 2, 100, 1000, 1, 1"
  })
  void asManyExamplesAreAGroupAsFit(
      long examples, int columns, long bytes, long maximum, long sdnb, long sdz) {
    TableShape table = table(examples, "c", columns, bytes);
    assertThat(ContainerLimits.examplesPerGroup(table, null, maximum, false)).isEqualTo(sdnb);
    assertThat(ContainerLimits.examplesPerGroup(table, null, maximum, true)).isEqualTo(sdz);
  }

  @Test
  void labelsCountTowardsTheSizeOfAGroup() throws IOException {
    Geometry geometry = new Geometry(10, List.of(1, 2), 5, 5);
    InventedDataset labelled = new InventedDataset(geometry, false, 10).withLabels(5);
    LabelSource labels = LabelSource.of(labelled, geometry);
    TableShape table = geometry.table();
    assertThat(ContainerLimits.examplesPerGroup(table, labels, 2 * 205, false)).isEqualTo(2);
    assertThat(ContainerLimits.examplesPerGroup(table, labels, 2 * 205 - 1, false)).isEqualTo(1);
  }

  @Test
  void filesThatLoadersOpenArePlanned() throws IOException {
    ContainerLimits.check("out", sdnb(table(1 << 17, "c", 1, GIBI), 1, Provenance.NONE));
    ContainerLimits.check("out", sdz(table(9, "c", 1, GIBI), 1, GIBI));
    ContainerLimits.check("out", sdz(table(999, "c", 1, 10), 1, 10));
  }

  @Test
  void filesThatLoadersRefuseAreRefused() {
    assertTooLarge(() -> sdnb(table(1, "c", 2, GIBI), 1, Provenance.NONE));
    assertTooLarge(() -> sdz(table(10, "c", 1, GIBI), 1, GIBI));
    assertTooLarge(() -> sdz(table(1, "c", 1, 2 * GIBI), 1, GIBI));
    assertTooLarge(() -> sdz(table(1000, "c", 1, 10), 1, 10));
  }

  @Test
  void filesThatAreNotReadAgainAreRefused() {
    assertTooLarge(() -> sdnb(table((1 << 17) + 1, "c", 1, 1), 1, Provenance.NONE));
    assertTooLarge(() -> sdnb(table(1, "c".repeat(1 << 20), 1, 1), 1, Provenance.NONE));
    assertTooLarge(() -> sdnb(table(4000, "\0".repeat(4000), 1, 1), 1, Provenance.NONE));
    Provenance large = Provenance.NONE.with("saev.metadata", "x".repeat(31 << 20));
    assertTooLarge(() -> sdnb(table(1, "c", 1, 1), 1, large));
    assertTooLarge(() -> sdz(table(1, "c".repeat(1 << 20), 1, 1), 1, GIBI));
  }

  /** A plan, whatever its type. */
  private interface Planned {
    Object plan();
  }

  private static void assertTooLarge(Planned planned) {
    Object plan = planned.plan();
    assertFails(
        DatasetError.TOO_LARGE,
        "out",
        () -> {
          if (plan instanceof SdzWritePlan sdz) {
            ContainerLimits.check("out", sdz);
          } else {
            ContainerLimits.check("out", (SdnbWritePlan) plan);
          }
        });
  }

  private static SdnbWritePlan sdnb(TableShape table, long perGroup, Provenance provenance) {
    return new SdnbWritePlan(new WrittenArrays(table, perGroup, provenance, null, null), "a");
  }

  private static SdzWritePlan sdz(TableShape table, long perGroup, long maxEntryBytes) {
    return new SdzWritePlan(
        new WrittenArrays(table, perGroup, Provenance.NONE, null, null),
        "a",
        maxEntryBytes,
        false,
        6);
  }
}
