package org.saevhadoop.jobs.verify;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.ErrorKind;

class FindingTest {
  private static Finding finding(ErrorKind kind, String path, String problem) {
    return Finding.of(kind.of(path, null, problem, null));
  }

  @Test
  void anErrorRepeatsAnotherOfItsKindInTheSameFileWhateverTheTexts() {
    Finding known = finding(DatasetError.INCOMPLETE, "/acts/a.npy", "is incomplete");
    assertThat(finding(DatasetError.INCOMPLETE, "/acts/a.npy", "ends early").repeats(known))
        .isTrue();
    assertThat(finding(DatasetError.BLOCK_SIZE, "/acts/a.npy", "is incomplete").repeats(known))
        .isFalse();
    assertThat(finding(DatasetError.INCOMPLETE, "/acts", "a.npy is incomplete").repeats(known))
        .isFalse();
  }
}
