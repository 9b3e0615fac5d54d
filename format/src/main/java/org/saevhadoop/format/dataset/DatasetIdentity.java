package org.saevhadoop.format.dataset;

/**
 * How the format that activations were first written in names and versions them.
 *
 * @param protocol the version of the format
 * @param hash the hash that names the dataset
 */
public record DatasetIdentity(String protocol, String hash) {}
