package org.saevhadoop.format.arrays.proposal;

import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.dataset.Geometry;

/**
 * An interpretation of files as a dataset.
 *
 * @param folder the folder of the dataset, relative to the location; empty if the location is the
 *     dataset
 * @param options the words of the options that select the dataset
 * @param mapping the value of {@code --tensor}, whether or not it is among the options
 * @param geometry the shape of the dataset
 * @param model the name of the model in the paths of the files; empty if there is none
 */
public record ArrayProposal(
    String folder, List<String> options, String mapping, Geometry geometry, String model) {
  static final String TENSOR = "--tensor";
  static final String RAGGED = "--ragged";

  public ArrayProposal {
    options = List.copyOf(options);
  }

  /**
   * Returns the path of the dataset.
   *
   * @param source the path of the location as the user wrote it
   */
  public String path(String source) {
    return folder.isEmpty() ? source : source.replaceFirst("/$", "") + "/" + folder;
  }

  /** Returns the options, including the mapping even if names and shapes imply it. */
  public List<String> confirmed() {
    if (options.contains(TENSOR)) {
      return options;
    }
    List<String> all = new ArrayList<>(options);
    all.addAll(List.of(TENSOR, mapping));
    return all;
  }

  /**
   * Returns the folder and the options, without the last option if it specifies how to handle
   * different lengths.
   */
  List<String> reading() {
    int end = options.contains(RAGGED) ? options.indexOf(RAGGED) : options.size();
    List<String> reading = new ArrayList<>(List.of(folder));
    reading.addAll(options.subList(0, end));
    return reading;
  }

  /**
   * Returns the interpretation of the same folder, relative to the parent folder of the location.
   */
  ArrayProposal below(String name) {
    return new ArrayProposal(
        folder.isEmpty() ? name : name + "/" + folder, options, mapping, geometry, model);
  }

  /** Returns the interpretation with words prepended to its options. */
  ArrayProposal behind(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(options);
    return new ArrayProposal(folder, all, mapping, geometry, model);
  }
}
