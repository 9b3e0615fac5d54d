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
 * @param geometry the shape of the dataset
 * @param model the name of the model in the paths of the files; empty if there is none
 */
public record ArrayProposal(String folder, List<String> options, Geometry geometry, String model) {
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

  /** Returns the interpretation of the same folder, relative to the folder above the location. */
  ArrayProposal below(String name) {
    return new ArrayProposal(
        folder.isEmpty() ? name : name + "/" + folder, options, geometry, model);
  }

  /** Returns the interpretation with words prepended to its options. */
  ArrayProposal behind(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(options);
    return new ArrayProposal(folder, all, geometry, model);
  }
}
