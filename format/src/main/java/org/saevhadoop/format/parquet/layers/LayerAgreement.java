package org.saevhadoop.format.parquet.layers;

import java.util.function.Predicate;

/**
 * What the layers of a token must have in common besides their vectors.
 *
 * @param label the name of the column of labels
 * @param isOfAllLayers whether integers of a name must be the same in all layers
 * @param leavesOut whether those that are not are left out; otherwise they are an error
 */
public record LayerAgreement(String label, Predicate<String> isOfAllLayers, boolean leavesOut) {}
