/**
 * Directories of pickled shards of activations: {@code {layer: [sample, ...]}}, a sample being a
 * dict with an array among its values.
 */
package org.saevhadoop.format.activations;
