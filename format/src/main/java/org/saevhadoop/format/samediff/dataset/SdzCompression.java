package org.saevhadoop.format.samediff.dataset;

/**
 * How the entries of an SDZ file are stored.
 *
 * @param deflated whether they are compressed; otherwise arrays can be read in place
 * @param level the level of compression, from 0 to 9
 */
public record SdzCompression(boolean deflated, int level) {}
