package org.saevhadoop.format.samediff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.samediff.FlatForge.table;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each rule of the graph of an SDNB file is noticed when it is broken. */
class RealGraphTest extends SdnbRuleAssertions {
  private static final int ROOT = 32;

  @Test
  void aGraphWithoutItsVectorsIsNoticed() throws IOException {
    assertBroken("there is a vector of variables", forge -> forge.graph.remove(1));
    assertBroken("there is a vector of nodes, which may be empty", forge -> forge.graph.remove(2));
  }

  @Test
  void aVariableWithoutValuesIsNoticed() throws IOException {
    assertBroken("variables and constants have values", forge -> forge.declare("x", 5));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4})
  void aVariableThatMayHaveNoValuesButHasIsNoticed(int type) throws IOException {
    assertBroken(
        "only variables and constants have values",
        forge -> forge.variables.get(0).put(6, (byte) type));
  }

  @Test
  void aVariableWithoutNameOrIdIsNoticed() throws IOException {
    assertBroken("a variable has an id", forge -> forge.variables.get(0).remove(0));
    assertBroken("a variable has a name", forge -> forge.variables.get(2).remove(1));
    assertBroken("a variable has a name", forge -> forge.variables.get(2).put(1, ""));
    assertBroken("names of variables are unique", forge -> forge.variables.get(2).put(1, "a"));
    assertBroken(
        "the type of a variable is known", forge -> forge.variables.get(2).put(6, (byte) 5));
  }

  @Test
  void metadataOfWhichOneHasNoValueAreNoticed() throws IOException {
    assertBroken("each metadata key has a value", forge -> forge.graph.put(9, List.of("a", "b")));
    assertBroken("each metadata key has a value", forge -> forge.graph.put(10, List.of()));
  }

  @Test
  void aShardAloneIsNoticed() throws IOException {
    assertBroken("a file without others is no shard", forge -> forge.shard("weights"));
  }

  @Test
  void whatOnlyNetworksHaveIsNotOurs() throws IOException {
    assertNotOurs("there are no nodes", forge -> forge.graph.put(2, List.of(table(0, 1))));
    assertNotOurs("there is no training", forge -> forge.graph.put(7, "{}"));
    assertNotOurs("there are no updaters", forge -> forge.graph.put(8, List.of(table(0, "a"))));
    assertNotOurs(
        "there are no other instances",
        forge -> forge.graph.put(11, List.of(table(0, "a", 1, new byte[2]))));
    assertNotOurs(
        "there are only variables and constants",
        forge -> forge.declare("x", 5).variables.get(4).put(6, (byte) 3));
  }

  @Test
  void anUnusualGraphIsNotOurs() throws IOException {
    assertNotOurs(
        "ids are {1, 0}, {2, 0} ...", forge -> forge.variables.get(0).put(0, table(0, 7)));
    assertNotOurs("the device is -1", forge -> forge.variables.get(0).remove(5));
    assertNotOurs(
        "metadata keys are unique",
        forge -> {
          forge.graph.put(9, List.of("a", "a"));
          forge.graph.put(10, List.of("b", "c"));
        });
    assertNotOurs("there are metadata", forge -> forge.hasMetadata = false);
  }

  @Test
  void allFieldsOfTheGraphMayBePresent() throws IOException {
    RealSdnbForge forge = RealSdnbForge.file();
    forge.graph.putAll(
        Map.of(
            0,
            5L,
            3,
            List.of(table(0, 1, 1, 0)),
            4,
            table(0, 1L, 1, (byte) 1, 3, (byte) 3, 4, (byte) 1, 5, 1L, 6, 1L, 7, (byte) 1),
            5,
            List.of(),
            6,
            List.of("a")));
    forge.variables.get(0).putAll(Map.of(7, List.of("x"), 8, List.of(), 9, List.of("y")));
    assertThat(RealLoaderRules.ofOurs(write(forge.bytes()))).hasSize(4);
  }

  // The FlatBuffer

  @Test
  void anOffsetThatLeadsOutIsNoticed() throws IOException {
    byte[] bytes = RealSdnbForge.file().bytes();
    assertBroken("offsets are positive", withRoot(bytes, 0));
    assertBroken("offsets are positive", withRoot(bytes, -4));
    assertBroken("everything lies in the FlatBuffer", withRoot(bytes, 1 << 20));
    assertBroken("scalars are aligned", withRoot(bytes, root(bytes) + 1));
  }

  private static int root(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(ROOT);
  }

  private static byte[] withRoot(byte[] bytes, int root) {
    return withInt(bytes, ROOT, root);
  }

  private static byte[] withInt(byte[] bytes, int at, int number) {
    byte[] changed = bytes.clone();
    ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN).putInt(at, number);
    return changed;
  }

  @Test
  void aVtableThatLeadsOutIsNoticed() throws IOException {
    byte[] bytes = RealSdnbForge.file().bytes();
    int table = ROOT + root(bytes);
    assertBroken("everything lies in the FlatBuffer", withInt(bytes, table, 1 << 20));
    assertBroken("everything lies in the FlatBuffer", withInt(bytes, table, -(1 << 20)));
    assertBroken("scalars are aligned", withInt(bytes, table, root(bytes) - 5));
    byte[] long1 = bytes.clone();
    long1[ROOT + 4] = 1;
    assertBroken("the size of a vtable is even", long1);
    byte[] long2 = bytes.clone();
    Arrays.fill(long2, ROOT + 4, ROOT + 6, (byte) 0xfe);
    assertBroken("everything lies in the FlatBuffer", long2);
  }

  @Test
  void aStringThatIsNoneIsNoticed() throws IOException {
    assertBroken("strings end with NUL", changed("hello\0", "hello!"));
    assertBroken("everything lies in the FlatBuffer", changed("\5\0\0\0hello", "\5\0\0\1hello"));
    assertBroken(
        "the size of a vector is less than 2 GiB", changed("\5\0\0\0hello", "\5\0\0\u00ffhello"));
    Path file = write(changed("hello\0", "hell\u00ff\0"));
    assertThatThrownBy(() -> RealLoaderRules.ofAny(file))
        .hasMessageStartingWith("rule broken: strings are UTF-8: ");
  }
}
