package org.saevhadoop.format.parquet.layers;

import java.util.function.Predicate;

/**
 * The rules for how layers must agree in data other than vectors.
 *
 * @param label the name of the label column
 * @param isOfAllLayers whether integers of a given name must be the same in all layers
 * @param leavesOut whether such integers are left out if they differ; otherwise a difference is an
 *     error
 */
public record LayerAgreement(String label, Predicate<String> isOfAllLayers, boolean leavesOut) {}
