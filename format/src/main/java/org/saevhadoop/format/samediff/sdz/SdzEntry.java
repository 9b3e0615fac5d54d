package org.saevhadoop.format.samediff.sdz;

public record SdzEntry(
    String name, boolean stored, long dataOffset, long size, long compressedSize, long crc) {}
