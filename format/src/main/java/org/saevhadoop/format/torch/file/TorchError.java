package org.saevhadoop.format.torch.file;

import org.saevhadoop.format.io.ErrorKind;

/**
 * Kinds of errors in files written by torch.save, in addition to errors in ZIP archives and
 * pickles.
 */
enum TorchError implements ErrorKind {
  /** The file is not a ZIP archive in which torch.save could have written a pickle. */
  NOT_TORCH,
  /** The file has the form that torch.save wrote before torch 1.6. */
  LEGACY,
  /** The archive contains a compiled module rather than a pickle of tensors. */
  TORCH_SCRIPT,
  /** An entry is compressed, so it cannot be read in place. */
  COMPRESSED,
  /** The recorded byte order is neither little nor big. */
  BAD_BYTE_ORDER,
  /** A storage has no entry, or its entry is shorter than declared. */
  BAD_STORAGE,
  /** The arguments of a tensor are not valid, or the tensor extends beyond its storage. */
  BAD_TENSOR,
  /** Two tensors have the same name, or a container contains itself. */
  BAD_STRUCTURE,
  /** None of the tensors can be read in place. */
  UNSUPPORTED,
  /** A size is larger than any in real data. */
  LIMIT_EXCEEDED
}
