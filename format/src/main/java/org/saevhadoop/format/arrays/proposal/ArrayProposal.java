package org.saevhadoop.format.arrays.proposal;

import java.util.List;
import org.saevhadoop.format.dataset.Geometry;

/**
 * An interpretation of files as a dataset.
 *
 * @param options the words of the options that select it
 * @param geometry the dataset
 * @param model the name of the model in the paths of the files; empty if there is none
 */
public record ArrayProposal(List<String> options, Geometry geometry, String model) {
  public ArrayProposal {
    options = List.copyOf(options);
  }
}
