package org.saevhadoop.format.saev.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.saev.metadata.HostileMetadata.text;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/** Between all generations that are written, whatever their data. */
@Tag("late")
@Tag("sampled")
class MetadataMigrationPropertyTest {
  @Property(tries = 2000, sample = 200)
  void everyWayOverTwoGenerationsRestoresTheTextAndTheHash(RandomValues any)
      throws FormatException {
    long seed = any.seed();
    ProtocolGeneration a = any.of(HostileMetadata.WRITABLE);
    ProtocolGeneration b = any.of(HostileMetadata.WRITABLE);
    ProtocolGeneration c = any.of(HostileMetadata.WRITABLE);
    SaevMetadata original = new HostileMetadata(seed).of(a);
    SaevMetadata there = original.to(b);
    SaevMetadata further = there.to(c);
    assertRestored(further.to(a), original, there, further);
    // and the way taken does not matter
    assertThat(text(further)).isEqualTo(text(original.to(c)));
  }

  @Property(tries = 1000, sample = 150)
  void whatIsWrittenIsWhatTheGenerationsOwnReadersDemand(RandomValues any) throws FormatException {
    long seed = any.seed();
    ProtocolGeneration a = any.of(HostileMetadata.WRITABLE);
    ProtocolGeneration b = any.of(HostileMetadata.WRITABLE);
    SaevMetadata original = new HostileMetadata(seed).of(a);
    SaevMetadata migrated = original.to(b);
    SaevMetadata read = SaevMetadata.parse("again", migrated.text());
    assertThat(read.generation()).isEqualTo(b);
    assertThat(read.hash())
        .isEqualTo(migrated.hash())
        .hasSize(b == ProtocolGeneration.V2_1 ? 8 : 64);
    assertThat(read.geometry()).isEqualTo(original.geometry());
    assertThat(read.clsToken()).isEqualTo(original.clsToken());
    assertThat(read.examplesPerShard()).isEqualTo(original.examplesPerShard());
    assertThat(read.foreignKeys()).isEmpty();
    assertThat(read.protocolWarning()).isEmpty();
    assertThat(text(read).getBytes(StandardCharsets.UTF_8)).isEqualTo(migrated.text());
    Map<?, ?> values = (Map<?, ?>) HostileMetadata.parse(text(read));
    List<Object> keys = new ArrayList<>(values.keySet());
    assertThat(keys).isEqualTo(b.keys(Map.of()));
    switch (b.data()) {
      case OBJECT -> assertThat(values.get("data")).isInstanceOf(Map.class);
      case TEXT -> assertThat(values.get("data")).isInstanceOf(String.class);
      case PICKLE -> {
        assertThat(values.get("data")).isInstanceOf(String.class);
        assertThat(values.get("pixel_agg")).isIn("majority", "prefer-fg");
      }
    }
    if (b.fields().contains(MetadataField.DATASET)) {
      assertThat(values.get("dataset")).isInstanceOf(String.class);
    }
  }

  private static void assertRestored(
      SaevMetadata back, SaevMetadata original, SaevMetadata... over) {
    List<String> way = new ArrayList<>();
    way.add(text(original));
    for (SaevMetadata step : over) {
      way.add(text(step));
    }
    assertThat(text(back)).as("%s", way).isEqualTo(text(original));
    assertThat(back.hash()).isEqualTo(original.hash());
  }
}
