package org.saevhadoop.format.pickleshards.write;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.pickleshards.shard.LayerKey;
import org.saevhadoop.format.samples.TokenRange;
import org.saevhadoop.format.tokens.TokenSampleMetadata;

/**
 * Selection of the per-token integers of a sample that are written. A pickled sample contains only
 * the selected tokens, and no field identifies them.
 *
 * @param ranges the positions of the tokens in the sample; empty for all
 * @param stored the number of tokens of the example
 * @param original the number of tokens of the original array; -1 if it is unknown
 */
record SelectedIntegers(List<TokenRange> ranges, long stored, long original) {
  private static final String METADATA = "metadata";

  /** Returns the selection of a single token by its position in a sample. */
  static SelectedIntegers ofToken(long position, long original) {
    int start = (int) Math.min(position, Integer.MAX_VALUE - 1);
    return new SelectedIntegers(List.of(new TokenRange(start, start + 1)), 1, original);
  }

  /** Returns the per-token integers of a sample, or of its metadata if it was pickled before. */
  static PythonValue.@Nullable Dict in(PythonValue.Dict sample) {
    if (LayerKey.get(sample, TokenSampleMetadata.FIELD) instanceof PythonValue.Dict own) {
      return own;
    }
    return LayerKey.get(sample, METADATA) instanceof PythonValue.Dict metadata
            && LayerKey.get(metadata, TokenSampleMetadata.FIELD) instanceof PythonValue.Dict own
        ? own
        : null;
  }

  /** Returns a copy of a sample that has only the integers of the selected tokens. */
  PythonValue.Dict of(PythonValue.Dict sample) {
    if (ranges.isEmpty()) {
      return sample;
    }
    PythonValue.Dict changed = select(sample);
    return LayerKey.get(changed, METADATA) instanceof PythonValue.Dict metadata
        ? LayerKey.with(changed, METADATA, select(metadata))
        : changed;
  }

  private PythonValue.Dict select(PythonValue.Dict dict) {
    if (!(LayerKey.get(dict, TokenSampleMetadata.FIELD) instanceof PythonValue.Dict arrays)) {
      return dict;
    }
    PythonValue.Dict selected = new PythonValue.Dict(arrays.kind());
    for (int i = 0; i < arrays.size(); i++) {
      if (!(arrays.value(i) instanceof PythonValue.PyList list)
          || !list.items().stream().allMatch(Long.class::isInstance)) {
        return dict; // written by another program
      }
      selected.append(arrays.key(i), select(list));
    }
    return LayerKey.with(dict, TokenSampleMetadata.FIELD, selected);
  }

  private PythonValue.PyList select(PythonValue.PyList all) {
    int size = all.size();
    boolean isOfSample = original < 0 ? size != stored : size == original;
    if (!isOfSample) {
      return all;
    }
    PythonValue.PyList selected = new PythonValue.PyList();
    for (TokenRange range : ranges) {
      all.items()
          .subList(Math.min(range.start(), size), Math.min(range.stop(), size))
          .forEach(selected::add);
    }
    return selected;
  }
}
