/**
 * Files and folders that are not datasets in any format of this project but can be mistaken for
 * one, and their names for error messages. This is the only list of such files and folders.
 *
 * <p>{@link org.saevhadoop.format.kind.FileKind} determines the kind of a file by its first bytes,
 * because names reveal little: {@code torch.save} and {@code numpy.savez} write ZIP archives, and
 * any of these files can be named {@code *.safetensors} or {@code *.bin}. {@link
 * org.saevhadoop.format.kind.FolderKind} determines the content of a folder from the names in it,
 * without opening a file.
 *
 * <p>These classes do not decide whether files are a dataset: formats do that first. If a kind
 * becomes a separate format, that format recognizes it, and the entry of the kind is then reached
 * only for files that the format refuses.
 *
 * <p>Sources: APPNOTE.TXT 6.3.10 of PKWARE (ZIP), torch/serialization.py of PyTorch, commit
 * 000a1a54 ({@code MAGIC_NUMBER}), numpy/lib/_format_impl.py and _npyio_impl.py of numpy 2.4.6
 * ({@code MAGIC_PREFIX}, {@code _savez}), RFC 1952 (gzip). The first bytes of HDF5, Parquet, Arrow,
 * Feather, GGUF, tar and Git LFS are taken from their specifications; they have not been checked
 * against real files.
 */
@Internal
@NullMarked
package org.saevhadoop.format.kind;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
