/**
 * Pickled activation shards as one of the formats: {@link
 * org.saevhadoop.mapreduce.pickle.PickleFormat} and its keys. What the bytes mean is in {@code
 * org.saevhadoop.format.activations} and {@code org.saevhadoop.format.pickle}.
 */
package org.saevhadoop.mapreduce.pickle;
