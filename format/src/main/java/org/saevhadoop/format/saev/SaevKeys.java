package org.saevhadoop.format.saev;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.saev.directory.SaevWritePlan;
import org.saevhadoop.format.saev.metadata.ProtocolGeneration;
import org.saevhadoop.format.saev.metadata.SaevMetadata;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;

/** The keys of SAEV shards. The format has no reading keys. */
public final class SaevKeys {
  /** The text of metadata.json: plain, or as Base64, which preserves every byte. */
  public static final SettingKey<String> METADATA =
      SettingKey.of(
          "saev.output.metadata",
          SettingTypes.text(
              "JSON",
              "the text of a metadata.json, or its Base64",
              SaevKeys::decoded,
              SaevKeys::encoded),
          null,
          "The text of the metadata.json that belongs to the activations, plain or as Base64, which"
              + " keeps every byte. SaevOutputFormat needs it; SafetensorsOutputFormat puts it into"
              + " the __metadata__ of each file.");

  public static final SettingKey<String> DIRECTORY =
      SettingKey.of(
          "saev.output.directory",
          SettingTypes.name("NAME", "the name of a directory"),
          null,
          "The name of the SAEV directory that the activations come from, if it is not the hash"
              + " of its metadata; SafetensorsOutputFormat keeps it.");

  public static final SettingKey<SaevWritePlan.Tail> TAIL =
      SettingKey.of(
              "saev.output.tail",
              SettingTypes.choice(SaevWritePlan.Tail.class),
              "full",
              "The length of the last shard if its examples do not fill it: full makes it as long as"
                  + " the other shards, as saev's own readers require; exact ends it after its last"
                  + " example.")
          .option("--tail");

  public static final SettingKey<ProtocolGeneration> PROTOCOL =
      SettingKey.of(
              "saev.output.protocol",
              SettingTypes.of(
                  "P",
                  "legacy, 1.0.0, 1.1, 2.0 or 2.1",
                  ProtocolGeneration::ofLabel,
                  ProtocolGeneration::label),
              null,
              "The protocol to write; the current saev reads 2.1. By default the protocol of the"
                  + " source's metadata, or 2.1 if the source has none.")
          .option("--protocol");

  public static final SettingKey<Long> TOKENS_PER_SHARD =
      SettingKey.of(
              "saev.output.tokens.per.shard",
              SettingTypes.whole(1, Long.MAX_VALUE),
              null,
              "The budget of a shard, in tokens times layers. By default the budget of the source's"
                  + " metadata; without it, the smallest of 2400000, the whole dataset, and a 16th"
                  + " of it (at least 64 MiB).")
          .option("--tokens-per-shard");

  public static final SettingKey<String> FAMILY =
      SettingKey.of(
              "saev.output.family",
              SettingTypes.text("S", "a name"),
              null,
              "The family of the model. By default, the family that the source names; required if it"
                  + " names none.")
          .option("--family")
          .everyday();

  public static final SettingKey<String> CHECKPOINT =
      SettingKey.of(
              "saev.output.checkpoint",
              SettingTypes.text("S", "a name"),
              null,
              "The checkpoint of the model. By default, the checkpoint that the source names;"
                  + " required if it names none.")
          .option("--ckpt")
          .everyday();

  public static final SettingKey<String> DATA =
      SettingKey.of(
              "saev.output.data",
              SettingTypes.name("FILE.json", "the path of a local file"),
              null,
              "A file with a JSON object that describes where the examples came from.")
          .option("--data");

  public static final SettingKey<Boolean> CLS =
      SettingKey.of(
              "saev.output.cls",
              SettingTypes.bool(),
              "false",
              "Whether token 0 is [CLS], if the source does not record it.")
          .flag(
              "--cls",
              "true",
              "Token 0 is [CLS]. Has an effect only if the source does not record it.");

  static final List<SettingKey<?>> WRITING =
      List.of(METADATA, DIRECTORY, TAIL, PROTOCOL, TOKENS_PER_SHARD, FAMILY, CHECKPOINT, DATA, CLS);

  private SaevKeys() {}

  private static String decoded(String value) {
    String text = value.strip();
    byte[] bytes =
        text.startsWith("{")
            ? value.getBytes(StandardCharsets.UTF_8)
            : Base64.getDecoder().decode(text);
    try {
      SaevMetadata.parse("SAEV metadata", bytes);
    } catch (FormatException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
