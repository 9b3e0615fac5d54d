package org.saevhadoop.format.torch.file;

import org.saevhadoop.format.zip.ArchiveEntry;

/**
 * Storage of the elements of tensors: an entry of the archive.
 *
 * @param type the type of elements, unless a tensor states another
 * @param length the declared length in bytes, at most the length of the entry
 */
record TorchStorage(ArchiveEntry entry, TorchType type, long length) {}
