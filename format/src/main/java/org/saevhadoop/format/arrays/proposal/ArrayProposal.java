package org.saevhadoop.format.arrays.proposal;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Geometry;

/**
 * An interpretation of files as a dataset.
 *
 * @param options the words of the options that select it
 * @param choice more options, with what must be chosen by hand in angle brackets; empty if nothing
 * @param geometry the dataset; null if it depends on the choice
 * @param model the name of the model in the paths of the files; empty if there is none
 */
public record ArrayProposal(
    List<String> options, String choice, @Nullable Geometry geometry, String model) {
  public ArrayProposal {
    options = List.copyOf(options);
  }
}
