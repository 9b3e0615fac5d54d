package org.saevhadoop.mapreduce.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.saevhadoop.mapreduce.input.ExampleSplit;

class ActivationKeyTest {
  /** In their order. */
  private static final List<ActivationKey> KEYS =
      List.of(
          new ActivationKey(-1, 5, 0),
          new ActivationKey(0, ActivationKey.ALL, 0),
          new ActivationKey(0, -2, 7),
          new ActivationKey(0, 3, 0),
          new ActivationKey(0, 3, 1),
          new ActivationKey(0, 21, 0),
          new ActivationKey(1, -2, 0),
          new ActivationKey(1L << 40, 0, 0));

  @Test
  void keysSortByExampleThenLayerThenToken() {
    List<ActivationKey> shuffled = new ArrayList<>(KEYS);
    Collections.shuffle(shuffled, new Random(1));
    Collections.sort(shuffled);
    assertThat(shuffled).isEqualTo(KEYS);
  }

  @Test
  void aKeyComesBackAndOneObjectTakesManyInTurn() throws IOException {
    ActivationKey reused = new ActivationKey();
    for (ActivationKey key : KEYS) {
      ActivationWritableTest.read(reused, ActivationWritableTest.serialized(key));
      assertThat(reused).isEqualTo(key).hasSameHashCodeAs(key);
    }
  }

  @Test
  void keysThatDifferAnywhereAreNotEqual() {
    assertThat(KEYS).doesNotHaveDuplicates();
    assertThat(new ActivationKey(1, 2, 3)).isNotEqualTo("example 1 layer 2 token 3");
  }

  @Test
  void aKeyIsShownAsAPersonWouldWriteIt() {
    assertThat(new ActivationKey(4, -2, 1)).hasToString("example 4 layer -2 token 1");
    assertThat(new ActivationKey(4, ActivationKey.ALL, 0)).hasToString("example 4 token 0");
  }

  @Test
  void aSplitComesBackWithItsHosts() throws IOException {
    ExampleSplit read = new ExampleSplit();
    ExampleSplit split = new ExampleSplit(3, 5, 1L << 40, new String[] {"b", "a\u00e4"});
    ActivationWritableTest.read(read, ActivationWritableTest.serialized(split));
    assertThat(read.first()).isEqualTo(3);
    assertThat(read.count()).isEqualTo(5);
    assertThat(read.getLength()).isEqualTo(1L << 40);
    assertThat(read.getLocations()).containsExactly("b", "a\u00e4");
    assertThat(read).hasToString("examples 3 to 7");
  }
}
