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
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each rule of the graph of an SDNB file is noticed when it is broken. */
class RealGraphTest extends SdnbRuleAssertions {
  private static final int ROOT = 32;

  static Stream<Arguments> broken() {
    return Stream.of(
        rule("there is a vector of variables", forge -> forge.graph.remove(1)),
        rule("there is a vector of nodes, which may be empty", forge -> forge.graph.remove(2)),
        rule("variables and constants have values", forge -> forge.declare("x", 5)),
        rule("a variable has an id", forge -> forge.variables.get(0).remove(0)),
        rule("a variable has a name", forge -> forge.variables.get(2).remove(1)),
        rule("a variable has a name", forge -> forge.variables.get(2).put(1, "")),
        rule("names of variables are unique", forge -> forge.variables.get(2).put(1, "a")),
        rule("the type of a variable is known", forge -> forge.variables.get(2).put(6, (byte) 5)),
        rule("each metadata key has a value", forge -> forge.graph.put(9, List.of("a", "b"))),
        rule("each metadata key has a value", forge -> forge.graph.put(10, List.of())),
        rule("a file without others is no shard", forge -> forge.shard("weights")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("broken")
  void aBrokenRuleIsNoticed(String rule, Consumer<RealSdnbForge> change) throws IOException {
    assertBroken(rule, change);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4})
  void aVariableThatMayHaveNoValuesButHasIsNoticed(int type) throws IOException {
    assertBroken(
        "only variables and constants have values",
        forge -> forge.variables.get(0).put(6, (byte) type));
  }

  static Stream<Arguments> unusual() {
    return Stream.of(
        rule("there are no nodes", forge -> forge.graph.put(2, List.of(table(0, 1)))),
        rule("there is no training", forge -> forge.graph.put(7, "{}")),
        rule("there are no updaters", forge -> forge.graph.put(8, List.of(table(0, "a")))),
        rule(
            "there are no other instances",
            forge -> forge.graph.put(11, List.of(table(0, "a", 1, new byte[2])))),
        rule(
            "there are only variables and constants",
            forge -> forge.declare("x", 5).variables.get(4).put(6, (byte) 3)),
        rule("ids are {1, 0}, {2, 0} ...", forge -> forge.variables.get(0).put(0, table(0, 7))),
        rule("the device is -1", forge -> forge.variables.get(0).remove(5)),
        rule(
            "metadata keys are unique",
            forge -> {
              forge.graph.put(9, List.of("a", "a"));
              forge.graph.put(10, List.of("b", "c"));
            }),
        rule("there are metadata", forge -> forge.hasMetadata = false));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("unusual")
  void anUnusualGraphIsNotOurs(String rule, Consumer<RealSdnbForge> change) throws IOException {
    assertNotOurs(rule, change);
  }

  @Test
  void allFieldsOfTheGraphMayBePresent() throws IOException {
    RealSdnbForge forge = RealSdnbForge.file();
    forge.graph.putAll(table(0, 5L, 3, List.of(table(0, 1, 1, 0)), 5, List.of(), 6, List.of("a")));
    forge.graph.put(
        4, table(0, 1L, 1, (byte) 1, 3, (byte) 3, 4, (byte) 1, 5, 1L, 6, 1L, 7, (byte) 1));
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
