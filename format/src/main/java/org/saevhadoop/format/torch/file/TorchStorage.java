package org.saevhadoop.format.torch.file;

import org.saevhadoop.format.zip.ArchiveEntry;

/**
 * The storage that contains the elements of tensors: an entry of the archive.
 *
 * @param type the type of the elements, unless a tensor specifies another type
 * @param length the declared length in bytes, at most the length of the entry
 */
record TorchStorage(ArchiveEntry entry, TorchType type, long length) {}
