package org.saevhadoop.converters.planning;

import java.io.IOException;
import java.util.EnumSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo.BlockStatus;
import org.apache.hadoop.hdfs.server.protocol.StorageReceivedDeletedBlocks;
import org.apache.hadoop.io.EnumSetWritable;

/**
 * Files that only the NameNode knows: with a length, a block and the DataNode that would have it.
 * They can be listed and located, at thousands a second, and not be read.
 */
record InjectedFiles(MiniDFSCluster cluster, String folder, long bytes) {
  private static final String CLIENT = "injected";
  private static final int THREADS = 8;

  /** Creates files that do not exist yet. */
  void create(int first, int end, IntFunction<String> names) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      var parts =
          IntStream.range(0, THREADS)
              .mapToObj(
                  part ->
                      threads.submit(
                          () -> {
                            for (int i = first + part; i < end; i += THREADS) {
                              create(folder + "/" + names.apply(i));
                            }
                            return null;
                          }))
              .toList();
      for (Future<?> part : parts) {
        part.get();
      }
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private void create(String path) throws IOException, InterruptedException {
    NamenodeProtocols namenode = cluster.getNameNodeRpc();
    long id =
        namenode
            .create(
                path,
                FsPermission.getFileDefault(),
                CLIENT,
                new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
                true,
                (short) 1,
                PlanningBench.BLOCK,
                CryptoProtocolVersion.supported(),
                null,
                null)
            .getFileId();
    LocatedBlock located = namenode.addBlock(path, CLIENT, null, null, id, null, null);
    ExtendedBlock block = located.getBlock();
    block.setNumBytes(bytes);
    received(namenode, located);
    while (!namenode.complete(path, CLIENT, block, id)) {
      Thread.sleep(1);
    }
  }

  private void received(NamenodeProtocols namenode, LocatedBlock located) throws IOException {
    String pool = located.getBlock().getBlockPoolId();
    DatanodeInfo[] targets = located.getLocations();
    for (int i = 0; i < targets.length; i++) {
      String id = targets[i].getDatanodeUuid();
      DataNode node =
          cluster.getDataNodes().stream()
              .filter(dataNode -> dataNode.getDatanodeUuid().equals(id))
              .findFirst()
              .orElseThrow();
      ReceivedDeletedBlockInfo received =
          new ReceivedDeletedBlockInfo(
              new Block(located.getBlock().getLocalBlock()), BlockStatus.RECEIVED_BLOCK, null);
      namenode.blockReceivedAndDeleted(
          node.getDNRegistrationForBP(pool),
          pool,
          new StorageReceivedDeletedBlocks[] {
            new StorageReceivedDeletedBlocks(
                new DatanodeStorage(located.getStorageIDs()[i]),
                new ReceivedDeletedBlockInfo[] {received})
          });
    }
  }
}
