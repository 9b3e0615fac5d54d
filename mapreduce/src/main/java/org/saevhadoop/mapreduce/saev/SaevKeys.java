package org.saevhadoop.mapreduce.saev;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.saev.Generation;
import org.saevhadoop.format.saev.SaevMetadata;
import org.saevhadoop.format.saev.SaevWritePlan;
import org.saevhadoop.mapreduce.conf.Key;
import org.saevhadoop.mapreduce.conf.Types;

/** The keys of SAEV shards. */
public final class SaevKeys {
  /** The text of a metadata.json: plain, or as Base64, which keeps every byte. */
  public static final Key<String> METADATA =
      Key.of(
          "saev.output.metadata",
          Types.text(
              "JSON",
              "the text of a metadata.json, or its Base64",
              SaevKeys::decoded,
              SaevKeys::encoded),
          null,
          "The text of the metadata.json that belongs to the activations, plain or as Base64, which"
              + " keeps every byte. SaevOutputFormat needs it; SafetensorsOutputFormat puts it into"
              + " the __metadata__ of each file.");

  public static final Key<String> DIRECTORY =
      Key.of(
          "saev.output.directory",
          Types.name("NAME", "the name of a directory"),
          null,
          "The name of the SAEV directory that the activations come from, where it is not the hash of"
              + " its metadata; SafetensorsOutputFormat keeps it.");

  public static final Key<SaevWritePlan.Tail> TAIL =
      Key.of(
              "saev.output.tail",
              Types.choice(SaevWritePlan.Tail.class),
              "full",
              "The length of a last shard that is not full: full makes it as long as the other shards,"
                  + " which saev's own readers require; exact ends it with its examples.")
          .option("--tail");

  public static final Key<Generation> PROTOCOL =
      Key.of(
              "saev.output.protocol",
              Types.of(
                  "P", "legacy, 1.0.0, 1.1, 2.0 or 2.1", Generation::ofLabel, Generation::label),
              null,
              "The protocol to write; the current saev reads 2.1. By default the protocol of the"
                  + " source's metadata, or 2.1 if the source has none.")
          .option("--protocol");

  public static final Key<Long> TOKENS_PER_SHARD =
      Key.of(
              "saev.output.tokens.per.shard",
              Types.whole(1, Long.MAX_VALUE),
              null,
              "The budget of a shard, in tokens times layers. By default the budget of the source's"
                  + " metadata, or 2400000 if the source has none.")
          .option("--tokens-per-shard");

  public static final Key<String> FAMILY =
      Key.of(
              "saev.output.family",
              Types.text("S", "a name"),
              null,
              "The family of the model. By default the family that the source names; required if it"
                  + " names none.")
          .option("--family");

  public static final Key<String> CHECKPOINT =
      Key.of(
              "saev.output.checkpoint",
              Types.text("S", "a name"),
              null,
              "The checkpoint of the model. By default the checkpoint that the source names; required"
                  + " if it names none.")
          .option("--ckpt");

  public static final Key<String> DATA =
      Key.of(
              "saev.output.data",
              Types.name("FILE.json", "the path of a local file"),
              null,
              "A file with a JSON object that describes where the examples came from.")
          .option("--data");

  public static final Key<Boolean> CLS =
      Key.of(
              "saev.output.cls",
              Types.bool(),
              "false",
              "Whether token 0 is [CLS], if the source does not record it.")
          .flag(
              "--cls",
              "true",
              "Token 0 is [CLS]. Has an effect only if the source does not record it.");

  private static final List<Key<?>> WRITING =
      List.of(METADATA, DIRECTORY, TAIL, PROTOCOL, TOKENS_PER_SHARD, FAMILY, CHECKPOINT, DATA, CLS);

  private SaevKeys() {}

  static List<Key<?>> writing() {
    return WRITING;
  }

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
