package org.saevhadoop.converters;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.Range;
import org.saevhadoop.format.tensor.Rounding;
import org.saevhadoop.mapreduce.InputNumbers;
import org.saevhadoop.mapreduce.SaevConf;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Which numbers a conversion writes. */
final class NumberOptions {
  @Option(
      names = "--dtype",
      paramLabel = "[COLUMN=]DTYPE",
      description =
          "Write numbers of this type (F32, F16, BF16, F64, I8 to I64, U8 to U64, or numpy's names),"
              + " of all columns or of one. SAEV takes F32 only. What is changed by it is counted."
              + " By default safetensors are written as they are stored, SAEV as F32 where that holds"
              + " the numbers exactly, and pickle as the arrays were that the numbers come from, else"
              + " as SAEV.")
  List<String> dtypes = new ArrayList<>();

  @Option(
      names = "--rounding",
      paramLabel = "nearest-even|truncate",
      description =
          "How --dtype rounds: nearest-even (as numpy; the default) or truncate (byte for byte as"
              + " safetensors-spark).")
  String rounding;

  @Option(
      names = "--range",
      paramLabel = "error|saturate|wrap",
      description =
          "What becomes of numbers that an integer --dtype can not hold (default: error).")
  String range;

  /** Puts them into the configuration of a conversion to a format. */
  void apply(CommandLine line, DatasetFormat to, Configuration conf) {
    try {
      if (!dtypes.isEmpty()) {
        SaevConf.INPUT_DTYPE.setList(conf, dtypes);
      } else if (to == DatasetFormat.safetensors && SaevConf.INPUT_DTYPE.get(conf).isEmpty()) {
        SaevConf.INPUT_DTYPE.set(conf, InputNumbers.STORED);
      }
      if (rounding != null) {
        SaevConf.INPUT_ROUNDING.set(conf, rounding);
        SaevConf.INPUT_ROUNDING.getEnum(conf, Rounding.class);
      }
      if (range != null) {
        SaevConf.INPUT_RANGE.set(conf, range);
        SaevConf.INPUT_RANGE.getEnum(conf, Range.class);
      }
      InputNumbers numbers = InputNumbers.of(conf);
      Set<DType> asked = new LinkedHashSet<>(numbers.own().values());
      if (numbers.all() != null) {
        asked.add(numbers.all());
      }
      asked.remove(DType.F32);
      if (to == DatasetFormat.saev && !asked.isEmpty()) {
        throw new IllegalArgumentException("SAEV holds F32 only, not " + asked.iterator().next());
      }
    } catch (IllegalArgumentException e) {
      throw new ParameterException(line, e.getMessage(), e);
    }
  }
}
