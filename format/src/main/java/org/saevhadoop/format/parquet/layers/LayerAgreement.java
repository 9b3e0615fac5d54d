package org.saevhadoop.format.parquet.layers;

import java.util.function.Predicate;

/**
 * The data other than vectors that the layers of a token must share.
 *
 * @param label the name of the column of labels
 * @param isOfAllLayers whether integers of a name must be the same in all layers
 * @param leavesOut whether such integers are left out if they differ; otherwise a difference is an
 *     error
 */
public record LayerAgreement(String label, Predicate<String> isOfAllLayers, boolean leavesOut) {}
