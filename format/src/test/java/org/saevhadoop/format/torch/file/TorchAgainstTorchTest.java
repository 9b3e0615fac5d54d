package org.saevhadoop.format.torch.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.gather.GatheredInput;
import org.saevhadoop.format.gather.StoredElements;
import org.saevhadoop.format.io.ErrorAssertions;
import org.saevhadoop.format.io.ErrorKind;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.testing.Python;

/** What torch writes is read with the same names, types and bytes. */
@Tag("python")
class TorchAgainstTorchTest {
  @TempDir static Path folder;
  private static List<String> theirs;

  @BeforeAll
  static void write() throws IOException, InterruptedException {
    String script =
        """
        import collections, hashlib, sys, torch, warnings
        warnings.simplefilter('default')
        folder = sys.argv[1]

        def tensors(name, value):
            if isinstance(value, torch.Tensor):
                copy = value.detach().clone(memory_format=torch.contiguous_format).flatten()
                raw = copy.view(torch.uint8).numpy().tobytes() if copy.numel() else b''
                yield [name or 'array', str(value.dtype), str(list(value.shape)),
                       hashlib.sha256(raw).hexdigest()]
            elif isinstance(value, dict):
                for key, item in value.items():
                    yield from tensors(f'{name}.{key}' if name else str(key), item)
            elif isinstance(value, (list, tuple)):
                for key, item in enumerate(value):
                    yield from tensors(f'{name}.{key}' if name else str(key), item)

        def save(file, value, **options):
            torch.save(value, folder + '/' + file, **options)
            for line in tensors('', value):
                print(file, *line, sep='\\t')

        torch.manual_seed(1)
        base = torch.randn(6, 7, 8)
        save('bare.pt', base)
        save('scalar.pt', torch.tensor(2.5))
        save('empty.pt', [torch.empty(0), torch.empty(3, 0, 2), base[2:2]])
        types = [torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int64,
                 torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool]
        newer = ['float8_e4m3fn', 'float8_e5m2', 'uint16', 'uint32', 'uint64']  # torch 2.1, 2.3
        types += [getattr(torch, name) for name in newer if hasattr(torch, name)]
        save('types.pth', {str(t): (base * 100).to(t) for t in types})
        save('views.pt', [base.transpose(0, 2), base[3], base[:, 2:5], base[:, ::3, 1],
                          base.permute(1, 2, 0)[2], base[4, 3, 2], base.permute(2, 1, 0),
                          base.bfloat16().mT, base.half()[1:4, :, 5],
                          torch.randn(1, 5).expand(4, 5),
                          torch.randn(3, 1, 1).expand(3, 2, 4), base.as_strided((4, 5), (3, 2), 9),
                          torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last)])
        save('nested.ckpt', {'hidden_states': [base[i] for i in range(3)], 'input_ids':
                             torch.arange(9), 7: ({'x': base},), 'meta': {'model': 'gpt2',
                             'epoch': 3, 'loss': 0.25, 'done': True, 'none': None,
                             'size': base.size(), 'device': torch.device('cpu'),
                             'dtype': torch.bfloat16}})
        module = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4))
        save('model.bin', module.state_dict())
        save('parameters.pt', list(module.parameters()))
        tagged = torch.nn.Parameter(torch.randn(3))
        tagged.tag = 'x'
        plain = torch.randn(4, requires_grad=True)
        plain.tag = 'y'
        save('attributes.pt', collections.OrderedDict(a=tagged, b=plain))
        optimizer = torch.optim.Adam(module.parameters())
        module(torch.randn(5, 3)).sum().backward()
        optimizer.step()
        save('optimizer.pt', optimizer.state_dict())
        for protocol in range(2, 6):
            save(f'protocol{protocol}.pt', {'a': base, 'b': [base[1], torch.arange(3)]},
                 pickle_protocol=protocol)
        large = torch.arange(3_000_000).reshape(1500, 2000)
        save('large.pt', [large, large.T, large[::4, ::3]])
        torch.save(base, folder + '/legacy.pt', _use_new_zipfile_serialization=False)
        torch.jit.save(torch.jit.script(torch.nn.Linear(2, 2)), folder + '/script.pt')
        torch.save(torch.eye(3).to_sparse(), folder + '/sparse.pt')
        torch.save(module, folder + '/module.pt')
        torch.save({'kept': base, 'complex': torch.randn(3, dtype=torch.complex64), 'quantized':
                    torch.quantize_per_tensor(torch.randn(3), 0.1, 10, torch.qint8),
                    'array': base.numpy(), 'scalar': base.numpy().sum(), 'storage':
                    base.storage(), 'bytes': b'x', 'long': 'x' * 2000}, folder + '/mixed.pt')
        with open(folder + '/stream.pt', 'wb') as file:
            torch.save(base, file)
        print('stream.pt', *next(tensors('', base)), sep='\\t')
        """;
    theirs = Python.MACHINE.with("torch").run(script, folder);
  }

  private static ArrayFile read(String file) throws IOException {
    return new TorchReader().read(new LocalFolder(folder), file);
  }

  private static String line(String file, FileArray array) throws Exception {
    return String.join(
        "\t",
        file,
        array.name(),
        "torch." + array.dtype().numpyName(),
        array.shape().toString(),
        HexFormat.of()
            .formatHex(MessageDigest.getInstance("SHA-256").digest(elements(file, array))));
  }

  private static byte[] elements(String file, FileArray array) throws IOException {
    ByteBuffer elements = ByteBuffer.allocate((int) array.layout().length());
    try (GatheredInput<String> input =
        new GatheredInput<>(
            file,
            new LocalFolder(folder)::open,
            List.of(new StoredElements<>(file, array.layout())))) {
      input.readFully(0, elements);
    }
    return elements.array();
  }

  @Test
  void tensorsHaveTheNamesTypesAndBytesOfTorch() throws Exception {
    List<String> ours = new ArrayList<>();
    List<String> lists = new ArrayList<>();
    for (String file : theirs.stream().map(line -> line.split("\t")[0]).distinct().toList()) {
      ArrayFile content = read(file);
      assertThat(content.warnings()).as(file).isEmpty();
      for (FileArray array : content.arrays()) {
        if (array.layout().offset() < Files.size(folder.resolve(file))) {
          ours.add(line(file, array));
        } else {
          lists.add(array.name() + " " + array.shape());
        }
      }
    }
    assertThat(ours).containsExactlyElementsOf(theirs).hasSizeGreaterThan(60);
    assertThat(lists).containsExactly("param_groups.0.params [4]");
  }

  @Test
  void otherFormsAreRefused() {
    assertRefused(TorchError.LEGACY, "legacy.pt");
    assertRefused(TorchError.TORCH_SCRIPT, "script.pt");
    assertRefused(PickleError.UNSAFE_GLOBAL, "sparse.pt");
    assertRefused(PickleError.UNSAFE_GLOBAL, "module.pt");
  }

  private static void assertRefused(ErrorKind kind, String file) {
    ErrorAssertions.assertFails(kind, file, () -> read(file));
  }

  @Test
  void whatIsNotReadInPlaceIsNamedInWarnings() throws Exception {
    ArrayFile mixed = read("mixed.pt");
    assertThat(mixed.arrays()).extracting(FileArray::name).containsExactly("kept");
    assertThat(mixed.values()).containsOnlyKeys("scalar");
    assertThat(mixed.warnings())
        .containsExactly(
            "a tensor of torch.complex64 is not read: \"complex\"",
            "a tensor of torch.qint8 is not read: \"quantized\"",
            "an array of numpy, which is within the pickle (torch.from_numpy(x) is read), is not"
                + " read: \"array\"",
            "a storage without a tensor is not read: \"storage\"",
            "a byte string is not read: \"bytes\"",
            "a string of more than 1024 bytes is not read: \"long\"");
  }

  @Test
  void valuesAreThoseOfThePickle() throws Exception {
    assertThat(read("nested.ckpt").values().entrySet())
        .extracting(Object::toString)
        .containsExactly(
            "meta.model=gpt2",
            "meta.epoch=3",
            "meta.loss=0.25",
            "meta.done=true",
            "meta.size.0=6",
            "meta.size.1=7",
            "meta.size.2=8",
            "meta.device=cpu",
            "meta.dtype=torch.bfloat16");
  }
}
