package org.saevhadoop.mapreduce.job;

import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.projection.IndexPieces;
import org.saevhadoop.format.projection.LayerRequest;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.projection.TokenRequest;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;
import org.saevhadoop.format.tensor.RangePolicy;
import org.saevhadoop.format.tensor.RoundingPolicy;

/** The input keys that are independent of the format. */
public final class InputKeys {
  /** The order of blocks. */
  public enum Order {
    EXAMPLE,
    LAYER
  }

  /** The numbering of examples and tokens in the keys of records. */
  public enum Numbering {
    SOURCE,
    SELECTION
  }

  public static final SettingKey<RecordSelection.Unit> RECORD =
      SettingKey.of(
          "saev.input.record",
          SettingTypes.choice(RecordSelection.Unit.class),
          "example",
          "What a record holds: an example [layer, token, dim], a block [token, dim] or a vector"
              + " [dim].");

  public static final SettingKey<Optional<LayerRequest>> LAYERS =
      SettingKey.of(
              "saev.input.layers",
              SettingTypes.orWord(
                  "all",
                  SettingTypes.of(
                      "L,L-L",
                      "layers and ranges of layers such as 10,12-14",
                      LayerRequest::parse,
                      LayerRequest::toString)),
              "all",
              "The layers to read, such as 10,12-14. They are read in the given order and have the"
                  + " numbers that the model gives them: -2 is the layer numbered -2, and 12-14"
                  + " includes 14. Other layers are not read.")
          .option("--layers")
          .everyday();

  public static final SettingKey<Optional<IndexPieces>> EXAMPLES =
      SettingKey.of(
              "saev.input.examples",
              SettingTypes.orWord(
                  "all",
                  SettingTypes.of(
                      "N,A:B",
                      "indexes and ranges such as 7,0:1000,5000:",
                      IndexPieces::parse,
                      IndexPieces::toString)),
              "all",
              "The examples to read, such as 7, -1 or 0:1000, which excludes 1000. They are read in"
                  + " the given order. Numbers count from 0, negative ones from the end; a range"
                  + " excludes its end, and its ends are clamped to the dataset. Other examples are"
                  + " not read.")
          .option("--examples")
          .everyday();

  public static final SettingKey<Long> LIMIT =
      SettingKey.of(
              "saev.input.limit",
              SettingTypes.whole(
                  "at least 1, or -1 for all of them",
                  limit -> limit >= 1 || limit == ProjectionRequest.NO_LIMIT),
              "-1",
              "Read at most the first N of these examples.")
          .option("--limit")
          .everyday();

  public static final SettingKey<TokenRequest> TOKENS =
      SettingKey.of(
              "saev.input.tokens",
              SettingTypes.of(
                  "T",
                  "cls, special, image, content, all, or ascending ranges such as 0:64",
                  TokenRequest::parse,
                  TokenRequest::toString),
              "all",
              "The tokens to read: cls, image (all but [CLS]), or ranges such as 0:64. special is"
                  + " another word for cls, and content for image; numbers count the stored"
                  + " tokens, where 0 is [CLS] if it was stored. Other tokens are not read, unless"
                  + " reading them is cheaper than skipping them.")
          .option("--tokens")
          .everyday();

  public static final SettingKey<Order> ORDER =
      SettingKey.of(
          "saev.input.order",
          SettingTypes.choice(Order.class),
          "example",
          "The order of the blocks: example reads all layers of an example, then the next example;"
              + " layer reads one layer of all examples of a group, then the next layer (with"
              + " saev.input.record=block or vector).");

  public static final SettingKey<Long> GROUP =
      SettingKey.of(
          "saev.input.group",
          SettingTypes.whole(1, Long.MAX_VALUE),
          "1",
          "Splits begin only at multiples of this many examples; with saev.input.order=layer this is"
              + " also the size of a group.");

  public static final SettingKey<List<String>> DTYPE =
      SettingKey.of(
              "saev.input.dtype",
              SettingTypes.list(
                  SettingTypes.text(
                      "[COLUMN=]DTYPE",
                      "F32, F16, BF16, F64, I8 to I64, U8 to U64, a name of numpy or torch such as"
                          + " float16 or torch.bfloat16, or stored",
                      DTypeRequest::checkItem)),
              null,
              "Convert the values to this type, such as F16. stored keeps the stored types. The"
                  + " type applies to all columns, or to one (COLUMN=DTYPE). half, float and"
                  + " double are F16, F32 and F64, as in torch. Changed values are counted. By"
                  + " default, activations keep the stored type if the written format has it, and"
                  + " are otherwise read as F32, which must hold them exactly.")
          .option("--dtype")
          .everyday();

  public static final SettingKey<RoundingPolicy> ROUNDING =
      SettingKey.of(
              "saev.input.rounding",
              SettingTypes.choice(RoundingPolicy.class),
              "nearest-even",
              "How values are rounded: nearest-even, as numpy does, or truncate, byte for byte as"
                  + " safetensors-spark does.")
          .option("--rounding");

  public static final SettingKey<RangePolicy> RANGE =
      SettingKey.of(
              "saev.input.range",
              SettingTypes.choice(RangePolicy.class),
              "error",
              "What happens to a value that an integer type cannot hold: error fails, saturate takes"
                  + " the nearest value of the type, wrap takes it modulo 2^bits.")
          .option("--range");

  public static final SettingKey<Numbering> NUMBERING =
      SettingKey.of(
          "saev.input.numbering",
          SettingTypes.choice(Numbering.class),
          "source",
          "How the keys of records number examples and tokens: source, as in the stored dataset,"
              + " or selection, by position in the selection.");

  private InputKeys() {}

  /** Returns all keys of this class. */
  public static List<SettingKey<?>> all() {
    return List.of(
        RECORD, LAYERS, EXAMPLES, LIMIT, TOKENS, ORDER, GROUP, DTYPE, ROUNDING, RANGE, NUMBERING);
  }

  /** Returns the keys that select a part of a dataset. */
  public static List<SettingKey<?>> projection() {
    return List.of(LAYERS, EXAMPLES, LIMIT, TOKENS);
  }

  /** Returns the keys that request value types. */
  public static List<SettingKey<?>> types() {
    return List.of(DTYPE, ROUNDING, RANGE);
  }
}
