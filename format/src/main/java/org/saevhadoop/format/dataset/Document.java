package org.saevhadoop.format.dataset;

/** A small file that belongs to a dataset. */
public record Document(String name, byte[] bytes) {}
