package org.saevhadoop.format.arrays.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.io.FormatException;

/** Names that count files. */
class FileSeriesTest {
  private static List<String> split(String names) {
    return Arrays.asList(names.split(" "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "data-00000-of-00001.arrow",
        "data-00000-of-00002.arrow data-00001-of-00002.arrow",
        "model-00001-of-00002.safetensors model-00002-of-00002.safetensors",
        "train-00000-of-00002-0123456789abcdef.parquet"
            + " train-00001-of-00002-fedcba9876543210.parquet test-00000-of-00001-01234567.parquet",
        "a-0-of-2.npy out-of-order.npy 00000-of-00001 3-of-hearts.npy",
      })
  void wholeSeriesAreAccepted(String names) throws IOException {
    FileSeries.check("/data", split(names));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
"""
          data-00000-of-00002.arrow        | data-00001-of-00002.arrow
          model-00002-of-00002.safetensors | model-00001-of-00002.safetensors
          00001-of-00003.npy               | 00000-of-00003.npy, 00002-of-00003.npy
          train-00000-of-00002-0123456789abcdef.parquet | train-00001-of-00002-*.parquet
          a-00000-of-00001.npy a-00000-of-00002.npy     | a-00001-of-00002.npy
""")
  void missingFilesAreNamed(String names, String missing) {
    assertThat(fails(names)).hasMessageStartingWith("/data: lacks " + missing + " (expected ");
  }

  private static FormatException fails(String names) {
    return assertFails(
        ArrayError.INCOMPLETE, "/data", () -> FileSeries.check("/data", split(names)));
  }

  @Test
  void onlySomeOfManyMissingFilesAreListed() {
    assertThat(fails("x-00003-of-99999.npy"))
        .hasMessageContaining("x-00002-of-99999.npy, x-00004-of-99999.npy and 99994 others (");
  }
}
