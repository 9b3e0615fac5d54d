package org.saevhadoop.format.saev.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.saevhadoop.format.io.FormatException;

@Tag("late")
@Isolated
class SaevMetadataFuzzTest {
  @FuzzTest
  @DictionaryEntries({
    "\"vit_family\"",
    "\"vit_ckpt\"",
    "\"model\"",
    "\"model_org\"",
    "\"model_ckpt\"",
    "\"model_family\"",
    "\"n_layers\"",
    "\"layers\"",
    "\"n_patches_per_img\"",
    "\"d_vit\"",
    "\"seed\"",
    "\"n_imgs\"",
    "\"n_patches_per_shard\"",
    "\"max_patches_per_shard\"",
    "\"width\"",
    "\"height\"",
    "\"cls_token\"",
    "\"data\"",
    "\"dtype\"",
    "\"float32\"",
    "\"protocol\"",
    "\"1.0.0\"",
    "\"1.1\"",
    "\"2.0\"",
    "\"2.1\"",
    "\"pixel_agg\"",
    "\"majority\"",
    "\"prefer-fg\"",
    "null",
    "\"family\"",
    "\"ckpt\"",
    "\"patches_per_ex\"",
    "\"d_model\"",
    "\"n_ex\"",
    "\"patches_per_shard\"",
    "\"content_tokens_per_example\"",
    "\"n_examples\"",
    "\"max_tokens_per_shard\"",
    "\"dataset\"",
    "\"__class__\"",
    "\"repr\"",
    "\"base64\"",
    "\"root\"",
    "\\udcff",
    "gAJY",
    "cQAu"
  })
  void anyMetadataIsReadOrRefusedAndKeepsItsHashWhenItIsWritten(byte[] text)
      throws FormatException {
    SaevMetadata metadata;
    try {
      metadata = SaevMetadata.parse("fuzz", text);
    } catch (FormatException e) {
      assertThat(e).hasMessageStartingWith("fuzz: ");
      return;
    }
    assertThat(metadata.examplesPerShard()).isPositive();
    assertThat(SaevMetadata.parse("again", metadata.text()).hash()).isEqualTo(metadata.hash());
    for (ProtocolGeneration target : ProtocolGeneration.values()) {
      moves(metadata, target);
    }
  }

  private static void moves(SaevMetadata metadata, ProtocolGeneration target)
      throws FormatException {
    SaevMetadata there;
    try {
      there = metadata.to(target);
    } catch (FormatException e) {
      assertThat(e).hasMessageStartingWith("metadata.json: ");
      return;
    }
    assertThat(SaevMetadata.parse("again", there.text()).hash()).isEqualTo(there.hash());
    assertThat(there.geometry()).isEqualTo(metadata.geometry());
    if (there != metadata) {
      assertThat(there.foreignKeys()).isEmpty();
      assertThat(there.to(ProtocolGeneration.V1_0).to(target).hash()).isEqualTo(there.hash());
    }
  }
}
