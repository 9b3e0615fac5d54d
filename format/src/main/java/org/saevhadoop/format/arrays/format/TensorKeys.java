package org.saevhadoop.format.arrays.format;

import java.util.List;
import org.saevhadoop.format.arrays.ArrayMapping;
import org.saevhadoop.format.arrays.file.NamePattern;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;
import org.saevhadoop.format.settings.Settings;

/**
 * The keys of formats that store arrays under names. Each such format lists them among its reading
 * keys.
 */
public final class TensorKeys {
  public static final SettingKey<List<String>> TENSORS =
      SettingKey.of(
              "saev.input.tensors",
              SettingTypes.list(
                  SettingTypes.text(
                      "NAME=example,layer,token,dim",
                      "NAME=example,layer,token,dim",
                      ArrayMapping::parse)),
              null,
              "Read NAME as activations with these dimensions. layer and token may be"
                  + " left out; layer:13 or layer:10+11 gives the numbers of the layers. Dimensions"
                  + " of one name are one (token,token for a grid, dim,dim for heads), and hook:0"
                  + " reads one index of any other dimension. Given once"
                  + " for each tensor. By default the tensors layer_<l>, or acts, are activations. In"
                  + " npy and torch files, dimensions may be in any order, and NAME may contain"
                  + " {layer}, {hook}, {shard} and {example}.")
          .option("--tensor")
          .everyday();

  public static final SettingKey<NamePattern> FILES =
      SettingKey.of(
              "saev.input.files",
              SettingTypes.text(
                  "PATTERN",
                  "a path with {layer}, {hook}, {shard} and {example}",
                  NamePattern::parse,
                  NamePattern::toString),
              null,
              "The files to read, as paths relative to the dataset. {layer} is the number of a layer,"
                  + " {hook} the name of what is a layer, {shard} what orders the files, {example} the"
                  + " id of an example; {{ is a brace. By default all files of the format in the"
                  + " folder.")
          .option("--files");

  public static final SettingKey<RaggedPolicy> RAGGED =
      SettingKey.of(
              "saev.input.ragged",
              SettingTypes.of(
                  "HOW",
                  "error, flatten, truncate:N, pad:N or pad:N:VALUE",
                  RaggedPolicy::parse,
                  RaggedPolicy::toString),
              "error",
              "How samples of different lengths are handled: error, flatten, truncate:N or pad:N."
                  + " error reports the lengths; flatten makes each token an example of one token;"
                  + " truncate cuts longer samples; pad fills shorter ones up.")
          .option("--ragged")
          .everyday();

  private TensorKeys() {}

  /** Returns the tensors that settings define as activations; empty to detect them by name. */
  public static List<ArrayMapping> mappings(Settings settings) {
    List<String> texts = settings.get(TENSORS);
    return texts == null ? List.of() : texts.stream().map(ArrayMapping::parse).toList();
  }
}
