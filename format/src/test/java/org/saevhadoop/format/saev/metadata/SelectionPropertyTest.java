package org.saevhadoop.format.saev.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.saev.metadata.HostileMetadata.text;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.JsonNumber;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/** Selections, of selections too, of metadata whose data is out to be mistaken for one. */
@Tag("late")
@Tag("sampled")
class SelectionPropertyTest {
  private static final List<String> FORMS =
      List.of(
          "prev1-layers",
          "prev1-vit-family",
          "v1",
          "v1sep",
          "v100pre",
          "v11a",
          "v11ren",
          "v20pre",
          "v20a",
          "v20orjson",
          "v21a-null",
          "v21-without-dtype-and-protocol");

  @Property(tries = 1500, sample = 100)
  void everyWayThereAndBackRestoresTheTextTheHashAndTheSelections(RandomValues any)
      throws FormatException {
    long seed = any.seed();
    ProtocolGeneration a = any.of(HostileMetadata.WRITABLE);
    ProtocolGeneration b = any.of(HostileMetadata.WRITABLE);
    List<SaevSelection> selections = new ArrayList<>();
    SaevMetadata selected = select(new SelectableMetadata(seed).of(a), seed, selections);
    assertThat(selected.generation()).isEqualTo(a);
    assertThat(selected.selections()).isEqualTo(selections);
    SaevMetadata there = selected.to(b);
    assertThat(there.selections()).isEqualTo(selections);
    assertThat(there.geometry()).isEqualTo(selected.geometry());
    assertThat(text(there.to(a))).isEqualTo(text(selected));
    assertThat(there.to(a).hash()).isEqualTo(selected.hash());
    assertThat(there.hash()).isEqualTo(SaevMetadata.parse("again", there.text()).hash());
  }

  @Property(tries = 1000, sample = 100)
  void whetherOneMigratesBeforeOrAfterDoesNotMatter(RandomValues any) throws FormatException {
    long seed = any.seed();
    ProtocolGeneration a = any.of(HostileMetadata.WRITABLE);
    ProtocolGeneration b = any.of(HostileMetadata.WRITABLE);
    SaevMetadata source = new SelectableMetadata(seed).of(a);
    SaevMetadata before = select(source.to(b), seed, new ArrayList<>());
    SaevMetadata after = select(source, seed, new ArrayList<>()).to(b);
    assertThat(text(before)).isEqualTo(text(after));
  }

  @Property(tries = 500, sample = 70)
  void formsBetweenTheProtocolsAreSelectedFromToo(RandomValues any) throws IOException {
    long seed = any.seed();
    ProtocolGeneration a = any.of(HostileMetadata.WRITABLE);
    ProtocolGeneration b = any.of(HostileMetadata.WRITABLE);
    SaevMetadata form = GenerationsTest.metadata(FORMS.get((int) Math.floorMod(seed, 12L)));
    List<SaevSelection> selections = new ArrayList<>();
    SaevMetadata selected = select(form, seed, selections);
    assertThat(selected.generation()).isEqualTo(form.generation());
    assertThat(selected.selections()).isEqualTo(selections);
    SaevMetadata there = selected.to(a);
    assertThat(there.selections()).isEqualTo(selections);
    assertThat(text(there.to(b).to(a))).isEqualTo(text(there));
    assertThat(text(select(form.to(a), seed, new ArrayList<>()))).isEqualTo(text(there));
  }

  @Property(tries = 1000, sample = 100)
  void whatIsNotSelectedIsNotTakenForASelection(RandomValues any) throws FormatException {
    long seed = any.seed();
    ProtocolGeneration a = any.of(HostileMetadata.WRITABLE);
    ProtocolGeneration b = any.of(HostileMetadata.WRITABLE);
    SaevMetadata original = new SelectableMetadata(seed).of(a);
    SaevMetadata there = original.to(b);
    assertThat(there.selections()).isEqualTo(original.selections());
    assertThat(text(there.to(a))).isEqualTo(text(original));
  }

  /** One to three selections in turn; those that data says already come last. */
  private static SaevMetadata select(SaevMetadata source, long seed, List<SaevSelection> all)
      throws FormatException {
    RandomSelections random = new RandomSelections(seed);
    all.addAll(source.selections());
    SaevMetadata selected = source;
    for (int i = 0; i <= Math.floorMod(seed, 3L); i++) {
      SaevSelection selection = random.of(selected.geometry());
      all.add(0, selection);
      selected = selected.select(selection);
    }
    return selected;
  }

  /** Hostile metadata, the data of which often is, or resembles, the envelope of a selection. */
  private record SelectableMetadata(long seed) {
    SaevMetadata of(ProtocolGeneration generation) throws FormatException {
      Random random = new Random(seed);
      SaevMetadata metadata = new HostileMetadata(seed).of(generation);
      for (int i = random.nextInt(3); i > 0; i--) {
        Object data = lookalike(random, metadata);
        Map<String, Object> values = new LinkedHashMap<>(metadata.values());
        values.put("data", DataField.represent(data, generation.data()));
        metadata = HostileMetadata.metadata(values, generation);
      }
      return metadata;
    }

    private Object lookalike(Random random, SaevMetadata inner) {
      Map<String, Object> envelope = new LinkedHashMap<>();
      SaevSelection selection = new RandomSelections(random.nextLong()).of(inner.geometry());
      if (random.nextInt(6) > 0) {
        envelope.put("selection", random.nextInt(6) == 0 ? "x" : selection.json());
      }
      Object data = inner.value(MetadataField.DATA);
      if (data instanceof String text) {
        envelope.put(random.nextBoolean() ? "repr" : "base64", text);
      } else {
        envelope.put("data", data);
      }
      if (random.nextInt(4) == 0) {
        envelope.put("opaque", random.nextBoolean());
      }
      if (random.nextInt(4) == 0) {
        envelope.put("seed", JsonNumber.of(42 + random.nextInt(2)));
      }
      envelope.put("__class__", random.nextInt(4) == 0 ? "x" : "");
      return envelope;
    }
  }
}
