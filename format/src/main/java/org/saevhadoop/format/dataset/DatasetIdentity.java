package org.saevhadoop.format.dataset;

/**
 * Version and name of a dataset in the format in which its activations were first written.
 *
 * @param hash the hash that names the dataset
 */
public record DatasetIdentity(String protocol, String hash) {}
