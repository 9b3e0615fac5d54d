package org.saevhadoop.format.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class BucketsTest {
  @Property
  void everyRowIsInOneBucketAndBucketsAscend(RandomValues random) {
    long rows = random.longBetween(1, 2000);
    int maxRows = random.intBetween(1, 300);
    Buckets buckets =
        Buckets.of(rows, random.longBetween(1, 2500), maxRows, random.longBetween(1, 50));
    long next = 0;
    for (int bucket = 0; bucket < buckets.count(); bucket++) {
      assertThat(buckets.first(bucket)).isEqualTo(next);
      assertThat(buckets.rows(bucket)).isBetween(1, maxRows);
      next += buckets.rows(bucket);
      assertThat(buckets.of(next - 1)).isEqualTo(bucket);
      assertThat(buckets.of(buckets.first(bucket))).isEqualTo(bucket);
    }
    assertThat(next).isEqualTo(rows);
  }

  @Property
  void noBucketHasRowsOfALargeFileAndOfTheNextOne(RandomValues random) {
    int maxRows = random.intBetween(1, 50);
    long fileRows = random.longBetween(maxRows, 500);
    long rows = random.longBetween(1, 2000);
    Buckets buckets = Buckets.of(rows, fileRows, maxRows, 100);
    for (int bucket = 0; bucket < buckets.count(); bucket++) {
      long last = buckets.first(bucket) + buckets.rows(bucket) - 1;
      assertThat(last / fileRows).isEqualTo(buckets.first(bucket) / fileRows);
    }
  }

  @Test
  void smallFilesAreJoinedOnlyIfThereWouldBeTooManyBuckets() {
    assertThat(Buckets.of(100, 10, 50, 10)).isEqualTo(new Buckets(100, 10, 10));
    assertThat(Buckets.of(100, 10, 50, 5)).isEqualTo(new Buckets(100, 20, 20));
    assertThat(Buckets.of(100, 10, 20, 1)).isEqualTo(new Buckets(100, 20, 20));
  }

  @Test
  void aLargeFileIsDividedEvenly() {
    assertThat(Buckets.of(1000, 100, 60, 99)).isEqualTo(new Buckets(1000, 100, 50));
    assertThat(Buckets.of(0, 100, 60, 99).count()).isZero();
  }
}
