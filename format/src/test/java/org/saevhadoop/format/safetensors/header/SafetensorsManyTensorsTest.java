package org.saevhadoop.format.safetensors.header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFailsWithAnyText;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/** Headers of many tensors, in any order and under names that are spelled in several ways. */
@Tag("late")
class SafetensorsManyTensorsTest {
  private static final int MANY = 40_000;

  /** Orders in which the tensors may stand in the JSON. */
  enum Order {
    BY_OFFSET,
    REVERSED,
    SHUFFLED
  }

  private static String entry(String quotedName, int begin, int end) {
    return "%s:{\"dtype\":\"U8\",\"shape\":[%d],\"data_offsets\":[%d,%d]}"
        .formatted(quotedName, end - begin, begin, end);
  }

  @ParameterizedTest
  @EnumSource
  void manyTensorsComeInDataOrderAndAreFoundByName(Order order) throws IOException {
    List<Integer> places = new ArrayList<>(IntStream.range(0, MANY).boxed().toList());
    switch (order) {
      case BY_OFFSET -> {}
      case REVERSED -> Collections.reverse(places);
      case SHUFFLED -> Collections.shuffle(places, new Random(1));
    }
    StringBuilder json = new StringBuilder();
    for (int place : places) {
      json.append(json.isEmpty() ? "{" : ",");
      json.append(entry("\"t" + place + "\"", 2 * place, 2 * place + 2));
    }
    SafetensorsHeader header =
        SafetensorsHeader.read(
            MemoryFile.input(MemoryFile.of(json.append('}').toString(), 2 * MANY)));
    assertThat(header.tensors()).hasSize(MANY);
    for (int i = 0; i < MANY; i++) {
      TensorInfo expected = new TensorInfo("t" + i, DType.U8, List.of(2L), 2L * i, 2L * i + 2);
      assertThat(header.tensors().get(i)).isEqualTo(expected);
      assertThat(header.tensor("t" + i)).contains(expected);
    }
    assertThat(header.tensor("t" + MANY)).isEmpty();
    assertThatThrownBy(() -> header.tensors().get(MANY))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> header.tensors().get(-1))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Property(tries = 300)
  void ofManyNamesTheLastOfEachStays(RandomValues any) throws IOException {
    List<String> names = names(any);
    int seed = any.intBetween(0, 1000);
    Random random = new Random(seed);
    Map<String, Integer> last = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      last.put(names.get(i), i);
    }
    List<Integer> kept = new ArrayList<>(last.values());
    Collections.shuffle(kept, random);
    StringBuilder json = new StringBuilder();
    for (int i = 0; i < names.size(); i++) {
      int place = kept.indexOf(i);
      int begin = place < 0 ? random.nextInt(5) : place;
      json.append(json.isEmpty() ? "{" : ",");
      json.append(entry(spell(names.get(i), random), begin, begin + 1));
    }
    byte[] file = MemoryFile.of(json.append('}').toString(), kept.size());
    SafetensorsHeader header = MemoryFile.read(file);
    assertThat(header.tensors())
        .extracting(TensorInfo::name)
        .containsExactlyElementsOf(
            last.keySet().stream()
                .sorted(Comparator.comparing(name -> kept.indexOf(last.get(name))))
                .toList());
    for (String name : last.keySet()) {
      assertThat(header.tensor(name))
          .map(TensorInfo::begin)
          .contains((long) kept.indexOf(last.get(name)));
    }
    if (kept.size() < names.size()) {
      assertFailsWithAnyText(
          SafetensorsError.InvalidHeaderDeserialization,
          MemoryFile.PATH,
          () -> SafetensorsHeader.read(MemoryFile.input(file)));
    } else {
      assertThat(SafetensorsHeader.read(MemoryFile.input(file)).tensors())
          .isEqualTo(header.tensors());
    }
  }

  private static List<String> names(RandomValues any) {
    return any.list(1, 12, () -> String.join("", any.list(0, 3, () -> letter(any))));
  }

  private static String letter(RandomValues any) {
    return any.of("a", "b", "\"", "\\", "/", "\n", "\0", "é", "\u20ac", "\ud83d\ude00", "?");
  }

  /** One of the many JSON strings of a text. */
  private static String spell(String text, Random random) {
    StringBuilder out = new StringBuilder("\"");
    text.codePoints()
        .forEach(
            c -> {
              String plain = Character.toString(c);
              boolean must = c < 0x20 || c == '"' || c == '\\';
              if (c == '/' && random.nextBoolean()) {
                out.append("\\/");
              } else if (must || random.nextBoolean()) {
                plain.chars().forEach(unit -> out.append("\\u%04x".formatted(unit)));
              } else {
                out.append(plain);
              }
            });
    return out.append('"').toString();
  }

  @Property(tries = 500)
  void theBytesOfAStringAreItsUtf8(RandomValues any) {
    String text = SafetensorsRoundTripTest.text(any);
    int seed = any.intBetween(0, 1000);
    String spelled = "xx" + spell(text, new Random(seed));
    byte[] json = spelled.getBytes(StandardCharsets.UTF_8);
    assertThat(JsonString.decode(json, 2)).isEqualTo(text);
    assertThat(JsonString.equal(json, 2, JsonString.quoted(text), 0)).isTrue();
    assertThat(JsonString.equal(JsonString.quoted(text + "."), 0, json, 2)).isFalse();
    JsonString bytes = new JsonString(json, 2);
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      assertThat(bytes.next()).isEqualTo(b & 0xff);
    }
    assertThat(bytes.next()).isEqualTo(-1);
  }

  @Test
  void halfOfASurrogatePairFindsNoQuestionMark() throws IOException {
    SafetensorsHeader header = MemoryFile.read(MemoryFile.of("{" + entry("\"?\"", 0, 1) + "}", 1));
    assertThat(header.tensor("?")).isPresent();
    assertThat(header.tensor("\ud800")).isEmpty();
  }
}
