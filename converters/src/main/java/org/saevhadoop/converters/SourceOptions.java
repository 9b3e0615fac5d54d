package org.saevhadoop.converters;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.format.safetensors.Layout;
import org.saevhadoop.format.safetensors.TensorMapping;
import org.saevhadoop.mapreduce.PickleInput;
import org.saevhadoop.mapreduce.SaevConf;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** How the files of a source are to be understood, where they do not say it themselves. */
final class SourceOptions {
  @Option(
      names = "--tensor",
      paramLabel = "NAME=example,layer,token,dim",
      description =
          "safetensors: the tensor NAME holds activations, with these dimensions; layer and token may"
              + " be missing, layer:13 or layer:10+11 numbers the layers. Once for each tensor."
              + " Without, layer_<l> and acts are known by their names.")
  List<String> tensors = new ArrayList<>();

  @Option(
      names = "--from-layout",
      paramLabel = "batch|kv",
      description =
          "safetensors: batch (tensors [n, ...]) or kv (a tensor for each key); by default told by"
              + " the files.")
  Layout layout;

  @Option(
      names = "--from-separator",
      paramLabel = "S",
      description =
          "safetensors: between id and column of keys (default: as the files say, else __).")
  String separator;

  @Option(
      names = "--lenient",
      description =
          "safetensors: accept the odd headers that the reference accepts: names that come twice (the"
              + " last counts), tensors as arrays, dtypes as objects.")
  boolean lenient;

  @Option(
      names = "--ragged",
      paramLabel = "HOW",
      description =
          "pickle: what becomes of samples of different lengths: error (tells the lengths; the"
              + " default), flatten (each token is an example of one token), truncate:N, or"
              + " pad:N[:VALUE].")
  String ragged;

  @Option(
      names = "--sample-ids",
      paramLabel = "dataset|directory",
      description =
          "pickle: where a sample_idx names one sample: in the whole dataset (the default), or in its"
              + " directory, where each machine counted its own.")
  String sampleIds;

  @Option(
      names = "--incomplete",
      paramLabel = "error|drop",
      description = "pickle: what becomes of a sample that lacks a layer (default: error).")
  String incomplete;

  @Option(
      names = "--join-halves",
      description =
          "pickle: the shards of host_2k and host_2k+1 hold halves of the same vectors; join them.")
  boolean joinHalves;

  /** Tasks get the configuration as XML, which lacks some characters. */
  static void checkSeparator(CommandLine line, String option, String separator) {
    if (separator != null && separator.isEmpty()) {
      throw new ParameterException(line, option + " is empty (expected at least a character)");
    }
    if (separator != null
        && !separator
            .codePoints()
            .allMatch(c -> c == '\t' || c >= ' ' && c < 0xfffe || c > 0xffff)) {
      throw new ParameterException(
          line, option + " has control characters (expected none but tabs)");
    }
  }

  /** Puts them into a configuration. */
  void apply(CommandLine line, Configuration conf) {
    try {
      tensors.forEach(TensorMapping::parse);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(line, "--tensor: " + e.getMessage(), e);
    }
    if (!tensors.isEmpty()) {
      SaevConf.INPUT_TENSORS.setList(conf, tensors);
    }
    if (layout != null) {
      SaevConf.INPUT_LAYOUT.set(conf, layout.toString());
    }
    checkSeparator(line, "--from-separator", separator);
    if (separator != null) {
      SaevConf.INPUT_SEPARATOR.set(conf, separator);
    }
    if (lenient) {
      SaevConf.INPUT_LENIENT.set(conf, "true");
    }
    if (ragged != null) {
      SaevConf.INPUT_RAGGED.set(conf, ragged);
    }
    if (sampleIds != null) {
      SaevConf.INPUT_SAMPLE_IDS.set(conf, sampleIds);
    }
    if (incomplete != null) {
      SaevConf.INPUT_INCOMPLETE.set(conf, incomplete);
    }
    if (joinHalves) {
      SaevConf.INPUT_JOIN_HALVES.set(conf, "true");
    }
    try {
      PickleInput.options(conf);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(line, e.getMessage(), e);
    }
  }
}
