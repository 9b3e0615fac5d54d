package org.saevhadoop.format.arrays;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.file.NamePattern;
import org.saevhadoop.format.dataset.RaggedPolicy;

/**
 * Options for the interpretation of the arrays in files.
 *
 * @param mappings the arrays that are activations; empty to identify them by their names and shapes
 * @param files the pattern of the paths of the files, relative to the folder; null for all files of
 *     the kind in the folder
 * @param layerNames the layers in their order, as in {@link LayerNames}: numbers or names
 * @param ragged the treatment of examples of different lengths
 * @param tokensPerExample the number of rows of a matrix that are the tokens of one example
 * @param masks the uses of masks that differ from the usual use
 * @param leavesOutTokens whether token ids and masks that contradict the vectors are left out;
 *     otherwise they are an error
 * @param labels the name of the per-token integers that are labels; empty if there are none
 */
public record ArrayOptions(
    List<ArrayMapping> mappings,
    @Nullable NamePattern files,
    List<String> layerNames,
    RaggedPolicy ragged,
    int tokensPerExample,
    List<MaskChoice> masks,
    boolean leavesOutTokens,
    Optional<String> labels) {
  /** Options with which names and shapes determine how arrays are interpreted. */
  public static final ArrayOptions DEFAULT =
      new ArrayOptions(List.of(), null, List.of(), RaggedPolicy.ERROR, 1);

  public ArrayOptions {
    mappings = List.copyOf(mappings);
    layerNames = List.copyOf(layerNames);
    masks = List.copyOf(masks);
  }

  /** Creates options with the usual use of masks, and without labels. */
  public ArrayOptions(
      List<ArrayMapping> mappings,
      @Nullable NamePattern files,
      List<String> layerNames,
      RaggedPolicy ragged,
      int tokensPerExample) {
    this(mappings, files, layerNames, ragged, tokensPerExample, List.of(), false, Optional.empty());
  }

  /** Returns whether an array of integers contains the labels. */
  boolean areLabels(String array) {
    return labels.isPresent()
        && TokenFields.lastPart(labels.get()).equals(TokenFields.lastPart(array));
  }

  /**
   * Returns the first mapping that matches the name of an array, and all other mappings with the
   * same pattern.
   */
  List<ArrayMapping> mappings(String array) {
    List<ArrayMapping> matching =
        mappings.stream()
            .filter(mapping -> mapping.name().match(array).isPresent())
            .distinct()
            .toList();
    return matching.stream()
        .filter(mapping -> mapping.name().equals(matching.get(0).name()))
        .toList();
  }

  /** Returns a copy in which masks leave out no tokens. */
  public ArrayOptions keepingMasks(List<String> names) {
    List<MaskChoice> kept = names.stream().map(name -> new MaskChoice(name, false)).toList();
    return new ArrayOptions(
        mappings, files, layerNames, ragged, tokensPerExample, kept, leavesOutTokens, labels);
  }

  /** Returns a copy that leaves out token ids and masks that contradict the vectors. */
  public ArrayOptions leavingOutTokens() {
    return new ArrayOptions(
        mappings, files, layerNames, ragged, tokensPerExample, masks, true, labels);
  }
}
